"""TXL107."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from tfxla_lint.edits import Remove, Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Dear
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.loops import Loop, called, each_turn
from tfxla_lint.semantics.measured import of_loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.turns import step_loop
from tfxla_lint.semantics.values import Kind, leaves

from ..shared.given_arrays import gives_array
from ..shared.outputs import has_list_of_outputs, has_one_output, takes_list
from ..shared.own_step import has_own_step
from ..shared.single import callers_passing_single, is_single
from ..shared.step_loops import batch_loop, environment_loop, training_loop
from .data_of_one import DataOfOne, data_of_one
from .tensor_reads import only_tensorflow_reads

#: `predict_on_batch` gave tensors before.
_GIVES_ARRAYS = (2, 2)
_GIVEN = (Kind.NDARRAY, Kind.TENSOR)
_SAME_STEP = (
    "the model's `predict_step`, where it has its own, makes the same of a batch given alone"
)
_SAME = "the model computes the same when called as when `predict` runs it"
_BETWEEN = "runs between the steps of an environment"
_TRAINING = "runs between training steps"
_SINGLE = "runs on a single example"
_BATCH = "runs on one batch of a data set"
_AT_ONCE_GIVEN = "each batch of the data set is small enough to be run at once"
_AT_ONCE = "and larger arrays that are passed are small enough for one batch"


class PredictInLoop(Rule):
    """## What it does
    Finds `model.predict(x)` on a single example (`x[None]`, `np.expand_dims(x, 0)`,
    `x.reshape(1, -1)`, `np.array([x])`, or the data set `Dataset.from_tensors(x).batch(1)`) inside a loop that turns many times, directly or in a function
    that the loop runs; on each batch that a loop takes of a data set, a `tf.data.Dataset` or a
    `Sequence` of Keras; and any `predict` that runs in a loop between the steps of an environment (what
    is reset and stepped), where an agent acts or learns, or, on what the turn has made, between
    training steps, where a generator gives a discriminator its batch.

    ## Why is this bad?
    `predict` is made for whole data sets: every call builds a dataset, runs callbacks and a progress
    bar, and moves batches through a function of its own. On one example that costs tens of
    milliseconds around a computation that takes well under one.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    state = np.zeros(4, dtype=np.float32)

    for step in range(500):
        values = model.predict(state[None], verbose=0)
        state = np.roll(state, 1) + values.max()
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    state = np.zeros(4, dtype=np.float32)

    for step in range(500):
        values = model(state[None], training=False).numpy()
        state = np.roll(state, 1) + values.max()
    ```

    On batches of a data set, `predict_on_batch` runs the same function and sets up nothing; where
    nothing else needs the batches, `predict` takes the whole data set.

    Where the examples are known beforehand, stack them and predict once. A model called like this
    runs op by op; wrapping it in `tf.function` once is faster still (`eager-model-call-in-loop`).

    ## Fix safety
    The fix is unsafe. It is offered for one array that goes in, or a list of them where the model is
    made of layers for a list, and one tensor, or a list, that comes out, which stay tensors where only TensorFlow reads them, and assumes that the model
    overrides neither `predict_step` nor `make_predict_function`, and that nothing reads the batches
    that `predict` reports to callbacks. Where it is not known what comes out, as of a model that is
    loaded or made by one of several functions, it becomes `predict_on_batch`, which gives the same
    in the same form (TensorFlow 2.2 and newer).
    On the batches of a data set it becomes `predict_on_batch`, if each is small enough to be run at
    once.
    Where a function is called with one example by a loop, and with larger arrays elsewhere, it also
    assumes that those are small enough for one batch.

    ## References
    - [`Model.predict`: for small inputs inside of loops, call the model](https://www.tensorflow.org/api_docs/python/tf/keras/Model#predict)
    - [What is the difference between `predict` and `__call__`?](https://keras.io/getting_started/faq/#whats-the-difference-between-model-methods-predict-and-call)
    """

    code = "TXL107"
    name = "predict-in-loop"
    summary = "`model.predict` runs on one example or batch on every turn of a loop"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    speaks_for = ("TXL104", "TXL110")
    quiet_in_tests = True
    needs = ("@tensorflow", ".predict", "@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each `predict` of a Keras model that a loop runs on a batch of one."""
        for call in model.nodes(cst.Call):
            function = model.value(call.func)
            if function.kind is not Kind.METHOD or function.name != "predict":
                continue
            if function.unit is not None or not _is_keras(model, call):
                continue
            given = _input(call)
            if given is not None:
                yield from self._check_call(model, call, given)

    def _check_call(
        self, model: SemanticModel, call: cst.Call, given: cst.BaseExpression
    ) -> Iterator[Report]:
        environment = environment_loop(model, call)
        loop, what = step_loop(model, call) or environment, _SINGLE
        alone = data_of_one(model, given)
        rewrite = _rewrite(model, call, given) if alone is None else _on_one(model, call, alone)
        evidence: list[Evidence] = []
        if alone is None and not is_single(model, given):
            edges = callers_passing_single(model, model.unit(call), given)
            loops = [step_loop(model, edge.node) for edge in edges]
            hot = [(e, found) for e, found in zip(edges, loops, strict=True) if found is not None]
            if hot:
                edge, loop = hot[0]
                if len(edges) < len(model.calls.untraced(model.unit(call))):
                    rewrite = rewrite and _at_once(rewrite)
                evidence = [Evidence(edge.node, "passes a batch of one")]
            else:
                loop, what = _loop_for_many(model, call, given, environment)
                if what == _BATCH:
                    rewrite = _on_batch(model, call, model.code(given), _AT_ONCE_GIVEN)
                else:
                    rewrite = rewrite and _at_once(rewrite)
        if loop is None:
            return
        if not evidence:
            route = model.contexts.eager(model.unit(call))
            inner = route.calls if route is not None else ()
            evidence = [Evidence(node, "called here") for node in inner]
        evidence.insert(0, Evidence(loop, called(loop)))
        text = excerpt(model, call.func)
        place = ""
        if what in (_SINGLE, _BATCH):
            is_plain = isinstance(loop, (cst.For, cst.While))
            place = " inside a loop" if is_plain else f" on {each_turn(loop)}"
        instead = "call the model itself, or predict on whole batches"
        if what == _BATCH:
            instead = "use `predict_on_batch`, or predict on the whole data set"
        message = (
            f"`{text}` {what}{place}, and sets up a dataset and callbacks "
            f"on every call; {instead}{of_loop(model, loop)}"
        )
        at_stake = Dear(call, "predict")
        yield Report(call, message, evidence, rewrite, at_stake=at_stake)


def _is_keras(model: SemanticModel, call: cst.Call) -> bool:
    receiver = model.value(call.func).receiver
    return receiver is not None and receiver.kind is Kind.MODEL


def _input(call: cst.Call) -> cst.BaseExpression | None:
    for argument in call.args:
        if not argument.star and (argument.keyword is None or argument.keyword.value == "x"):
            return argument.value
    return None


def _loop_for_many(
    model: SemanticModel, call: cst.Call, given: cst.BaseExpression, environment: Loop | None
) -> tuple[Loop | None, str]:
    """The loop in which a `predict` of any number of rows is too dear, and where that stands."""
    if environment is not None:
        return environment, _BETWEEN
    training = training_loop(model, call, given)
    if training is not None:
        return training, _TRAINING
    return batch_loop(model, call, given, step_loop(model, call)), _BATCH


def _at_once(rewrite: Rewrite) -> Rewrite:
    """The rewrite, where more than one example may be passed."""
    return replace(rewrite, assumption=f"{rewrite.assumption}, {_AT_ONCE}")


def _on_batch(model: SemanticModel, call: cst.Call, given: str, assumption: str) -> Rewrite | None:
    """`model.predict_on_batch(x)`, which gives what `predict` gives of one batch."""
    if not isinstance(call.func, cst.Attribute) or not _has_usual_arguments(call):
        return None
    if model.tf_version is not None and model.tf_version < _GIVES_ARRAYS:
        return None
    receiver = model.value(call.func).receiver
    info = receiver.class_ if receiver is not None else None
    if info is not None and info.method("predict_on_batch") is not None:
        return None
    new = f"{model.code(call.func.value)}.predict_on_batch({given})"
    return Rewrite(
        "use `predict_on_batch`",
        [Replace(call, new)],
        Applicability.UNSAFE,
        assumption=assumption,
        unit=model.unit(call).qualname,
    )


def _on_one(model: SemanticModel, call: cst.Call, alone: DataOfOne) -> Rewrite | None:
    """`model.predict_on_batch(x[None])`, where `predict` is given a data set of `x` alone."""
    element = alone.element
    if not isinstance(element, cst.Name) or model.value(element).kind not in _GIVEN:
        return None
    bound = model.flow.reached(element).only
    if bound is None or model.flow.reached_at(element, call).only is not bound:
        return None
    found = _on_batch(model, call, f"{element.value}[None]", _SAME_STEP)
    removed = [Remove(line) for line in alone.lines]
    return replace(found, edits=[*found.edits, *removed]) if found is not None else None


def _has_usual_arguments(call: cst.Call) -> bool:
    """Whether a `predict` is given one input, and nothing else but what is of no use to one batch."""
    names = [a.keyword.value if a.keyword is not None else a.star for a in call.args]
    return not set(names) - {"", "x", "verbose", "batch_size"} and names.count("") <= 1


def _rewrite(model: SemanticModel, call: cst.Call, given: cst.BaseExpression) -> Rewrite | None:
    """A call of the model, where it is known what it gives, or else `predict_on_batch`."""
    if has_own_step(model, call, "predict_step"):
        return None  # `predict` gives what that makes of its outputs.
    found = _called(model, call, given)
    if found is not None:
        return found
    receiver = model.value(call.func).receiver
    # What is only known to have a `predict` may be of another library.
    if receiver is None or receiver.by_use or not _is_taken(model, call, given):
        return None
    return _on_batch(model, call, model.code(given), _SAME_STEP)


def _is_taken(model: SemanticModel, call: cst.Call, given: cst.BaseExpression) -> bool:
    """Whether one batch is passed: an array, or a list of them to a model made for lists."""
    value = model.value(given)
    if value.kind is not Kind.LIST:
        return gives_array(model, given)
    assert isinstance(call.func, cst.Attribute)
    are_arrays = all(leaf.kind in _GIVEN for leaf in leaves(value))
    return are_arrays and takes_list(model, call.func.value)


def _called(model: SemanticModel, call: cst.Call, given: cst.BaseExpression) -> Rewrite | None:
    """`model(x, training=False).numpy()`, for an array or a list in, and one out or a list."""
    if not isinstance(call.func, cst.Attribute) or not _has_usual_arguments(call):
        return None
    value = model.value(given)
    is_taken = value.kind is not Kind.LIST or takes_list(model, call.func.value)
    if not is_taken or any(leaf.kind not in _GIVEN for leaf in leaves(value)):
        return None
    code = model.code
    called = f"{code(call.func.value)}({code(given)}, training=False)"
    may_be_tensors = only_tensorflow_reads(model, call)
    if has_one_output(model, call.func.value):
        new = called if may_be_tensors else f"{called}.numpy()"
    elif has_list_of_outputs(model, call.func.value):
        new = called if may_be_tensors else f"[output.numpy() for output in {called}]"
    else:
        return None
    return Rewrite(
        "call the model instead of `predict`",
        [Replace(call, new)],
        Applicability.UNSAFE,
        assumption=_SAME,
        unit=model.unit(call).qualname,
    )
