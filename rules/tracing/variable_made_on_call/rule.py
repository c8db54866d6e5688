"""TXL304 variable-made-on-call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import Rewrite
from tfxla_lint.evidence import of_route
from tfxla_lint.findings import Applicability, Intent, Level
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from .detect import is_weight, made_each_turn, made_in_call, made_in_trace
from .fix import as_tensors

#: What is lost with what is made anew.
_LOST = {
    Kind.OPTIMIZER: "and its moments are lost",
    Kind.METRIC: "which makes its variables each time; make it once and reset it",
    Kind.MODEL: "which sets up all of its weights each time",
    Kind.VARIABLE: "and only stands for a tensor, which takes a fraction of the time",
}
#: What puts layers that exist together, by what is said of it.
_TOGETHER = frozenset({"`tf.keras.Model`", "`tf.keras.models.Model`"})
#: What is wrong with it where each call of a layer makes it.
_ON_CALL = {
    Kind.LAYER: "with fresh weights that are not kept",
    Kind.VARIABLE: "which takes time, and which a trace refuses",
}
#: What runs it: a loop, or something outside.
_TURN = {True: "each turn of this loop is a step", False: "run many times from outside"}


class VariableMadeOnCall(Rule):
    """## What it does
    Finds variables, layers with weights, optimizers, metrics and random generators that traced code
    makes on every call, and variables, or layers with weights, that the `call` of a layer or model
    makes, whatever runs it; also the weights that `self.add_weight` adds there.
    In eager code, also optimizers with moments, layers with weights, metrics and models that every
    step of a loop makes, and uses once, and variables that it only hands to operations and models
    (the last three are warnings).

    Left alone are `__init__` and `build`, everything under a condition of Python's
    (`if self.w is None`; of a layer that is run as soon as it is made, only under such a test for what
    is missing), layers without weights, losses, layers that are made but not run, and in
    loops those whose arguments change from turn to turn, or whose weights are given.

    ## Why is this bad?
    A `tf.function` may make variables only while its first call is traced. What makes them each
    time raises `ValueError: tf.function only supports singleton tf.Variables created on the first
    call`. In eager code it runs, but every call has fresh random weights: what the optimizer does
    to them is lost, and the model does not know them, so that they are neither trained nor saved.

    ## Example
    ```python
    import tensorflow as tf

    class Block(tf.keras.layers.Layer):
        def call(self, x):
            return tf.keras.layers.Dense(8)(x)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    class Block(tf.keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.dense = tf.keras.layers.Dense(8)

        def call(self, x):
            return self.dense(x)
    ```

    ## Fix safety
    A variable that nothing assigns, and that only operations, models, operators and indices read,
    becomes a tensor of the same value, shape and dtype: `tf.convert_to_tensor(x)` for
    `tf.Variable(x)`. The fix is unsafe: it assumes that nothing asks the tape which variables it has
    seen. Layers, optimizers and metrics are yours to move.

    ## References
    - [Better performance with tf.function: creating tf.Variables](https://www.tensorflow.org/guide/function#creating_tfvariables)
    - [Making new layers and models via subclassing](https://www.tensorflow.org/guide/keras/making_new_layers_and_models_via_subclassing)
    """

    code = "TXL304"
    name = "variable-made-on-call"
    summary = "Variables are made anew on every call"
    level = Level.ERROR
    fixes = (Applicability.UNSAFE,)
    needs = ("@imported", "call|__call__|@tracing|@loops")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look through the traced units, then through the `call` of layers and models."""
        all_eager = functions_run_eagerly(model) is not None
        for unit in model.units.all[1:]:
            route = model.contexts.traced(unit)
            if route is not None and not all_eager:
                for made in made_in_trace(model, unit):
                    message = f"{made.what} makes variables each time `{unit.name}` is called, "
                    message += "and a traced function may make them only once"
                    rewrite = _rewrite(model, unit, [made.node], Intent.CORRECTING)
                    yield Report(made.node, message, of_route(route), rewrite)
                continue
            for made in made_in_call(model, unit):
                message = f"{made.what} is made on each call, {_ON_CALL[made.kind]}"
                if is_weight(model, made.node):
                    message = f"{made.what} adds another weight on each call; add it in `build`"
                evidence = []
                if isinstance(unit.node, cst.FunctionDef):
                    evidence.append(Evidence(unit.node.name, "runs on each call of the layer"))
                yield Report(made.node, message, evidence, _rewrite(model, unit, [made.node]))
            each = list(made_each_turn(model, unit))
            plain = [made.node for made, _ in each if made.kind is Kind.VARIABLE]
            for made, loop in each:
                if made.node in plain[1:]:
                    continue
                lost = _LOST.get(made.kind, "with fresh weights that nothing keeps")
                if made.what in _TOGETHER:
                    lost = "which puts its layers together each time"
                level = None if made.kind in (Kind.OPTIMIZER, Kind.LAYER) else Level.WARNING
                evidence = [Evidence(loop, _TURN[isinstance(loop, (cst.For, cst.While))])]
                if made.kind is Kind.VARIABLE:
                    evidence += [Evidence(other, "made here too") for other in plain[1:]]
                message = f"{made.what} is made anew on every step, {lost}"
                rewrite = _rewrite(model, unit, plain) if made.kind is Kind.VARIABLE else None
                yield Report(made.node, message, evidence, rewrite, level=level)


def _rewrite(
    model: SemanticModel,
    unit: Unit,
    made: Sequence[cst.Call],
    intent: Intent = Intent.PRESERVING,
) -> Rewrite | None:
    """The rewrite, where what is made are variables."""
    if not all(model.value(call).kind is Kind.VARIABLE for call in made):
        return None
    if any(is_weight(model, call) for call in made):
        return None  # A layer's own weights are not for a tensor to replace.
    return as_tensors(model, unit, made, intent)
