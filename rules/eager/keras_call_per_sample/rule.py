"""TXL111."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.cost.at_stake import Dear
from tfxla_lint.semantics.model import SemanticModel

from ..shared.given_arrays import gives_array
from ..shared.own_step import has_own_step
from .detect import KerasStep, keras_steps

_INSTEAD = {"fit": "train_on_batch", "evaluate": "test_on_batch"}
_KEPT = ("x", "y", "sample_weight", "class_weight")
_DROPPED = ("batch_size", "epochs", "verbose", "shuffle")


class KerasCallPerSample(Rule):
    """## What it does
    Finds `fit`, `evaluate` and `compile` of one model inside of a step loop: on a single batch of
    the turn, or on every step of an environment (an agent that replays its memory).

    Loops that go through whole data (epochs, folds, hyper-parameters) and calls for more than one
    epoch are left alone, and so are calls that a condition thins out.

    ## Why is this bad?
    `fit` is made for many batches: each call makes a dataset, callbacks, a progress bar and a
    History, about 40 ms for a small model, where `train_on_batch` takes less than one. `compile`
    throws the traced training step away, so that each turn traces it again.

    ## Example
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    for step in range(1000):
        x = np.reshape(np.random.rand(64), [16, 4])
        model.fit(x, x.sum(axis=1), verbose=0)
    ```

    ## Use instead
    ```python
    import numpy as np
    import tensorflow as tf

    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    for step in range(1000):
        x = np.reshape(np.random.rand(64), [16, 4])
        model.train_on_batch(x, x.sum(axis=1))
    ```

    ## Fix safety
    The fix calls `train_on_batch`, where `fit` surely takes one epoch of one batch, is silent, has
    no callbacks, nobody reads its History, and the model has no `train_step` of its own in sight. It is unsafe:
    `fit` shuffles the rows of the batch, which changes the loss by rounding, and by more where layers
    draw for each row (dropout, noise); and a model's own `train_step` may tell the two apart.

    ## References
    - [Model.train_on_batch](https://www.tensorflow.org/api_docs/python/tf/keras/Model#train_on_batch)
    """

    code = "TXL111"
    name = "keras-call-per-sample"
    summary = "`fit`, `evaluate` or `compile` runs on every turn of a step loop"
    level = Level.WARNING
    fixes = (Applicability.UNSAFE,)
    quiet_in_tests = True
    needs = ("@tensorflow", ".fit|.evaluate|.compile", "@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Report each call that a step loop repeats."""
        for step in keras_steps(model):
            evidence = [Evidence(step.loop, "the loop")]
            unit = model.unit(step.call)
            route = model.contexts.eager(unit)
            if route is not None and not model.loops.hot_around(step.call, unit):
                evidence += [Evidence(call, "called here") for call in route.calls]
            instead = _INSTEAD.get(step.method)
            yield Report(
                step.call,
                _message(model, step),
                evidence,
                _rewrite(model, step),
                at_stake=Dear(step.call, step.method, instead) if instead else None,
            )


def _message(model: SemanticModel, step: KerasStep) -> str:
    text = model.code(step.call.func).strip()
    if step.method == "compile":
        return f"`{text}` in a step loop throws the traced training step away on every turn"
    return (
        f"`{text}` runs on every turn of a step loop, and each call sets up a dataset and "
        f"callbacks; `{_INSTEAD[step.method]}` does not"
    )


def _rewrite(model: SemanticModel, step: KerasStep) -> Rewrite | None:
    """`model.train_on_batch(x, y)`, for one silent epoch of one array's one batch."""
    call, x = step.call, step.given("x") if step.method == "fit" else None
    if x is None or not step.is_one_batch or not isinstance(model.parent(call), cst.Expr):
        return None
    if any(attribute.attr.value == "history" for attribute in model.nodes(cst.Attribute)):
        return None
    if has_own_step(model, call, "train_step"):
        return None  # Keras gives it other data from `train_on_batch`.
    words = [a.keyword.value for a in call.args if a.keyword is not None]
    plain = sum(a.keyword is None for a in call.args)
    verbose = step.given("verbose")
    is_silent = verbose is not None and model.value(verbose).constant == 0
    is_array = gives_array(model, x)
    if not is_silent or not is_array or not set(words) <= {*_KEPT, *_DROPPED} or plain > 2:
        return None
    kept = [a for a in call.args if a.keyword is None or a.keyword.value in _KEPT]
    assert isinstance(call.func, cst.Attribute)
    code = model.code
    given = ", ".join(code(a.with_changes(comma=cst.MaybeSentinel.DEFAULT)) for a in kept)
    return Rewrite(
        "Train on the batch at once",
        [Replace(call, f"{code(call.func.value)}.train_on_batch({given})")],
        Applicability.UNSAFE,
        assumption="the model's training step does not tell `fit`, which shuffles the rows, from "
        "`train_on_batch`",
        unit=model.unit(call).qualname,
    )
