"""TXL507 keras-object-in-op."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace, Rewrite
from tfxla_lint.findings import Applicability, Level
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind, leaves

from .shared.mending import mending
from .shared.running import fails_on_import
from .shared.target import shown
from .shared.version_guards import depends_on_version

_BACKEND = "tensorflow.keras.backend."
#: The functions of Keras take its symbolic tensors; its losses and metrics have names of their own.
_OF_KERAS = ("tensorflow.keras.", "tensorflow.losses.", "tensorflow.metrics.", "tensorflow.compat.")
#: What sets a variable, which must be one of TensorFlow's own: by the method that does it for all.
_SETTING = {
    _BACKEND + "set_value": "assign",
    _BACKEND + "update": "assign",
    _BACKEND + "update_add": "assign_add",
    _BACKEND + "update_sub": "assign_sub",
}
_TAKING = behaviour.names(Trait.TAKES_SYMBOLIC) | behaviour.names(Trait.CHECKS)


class KerasObjectInOp(Rule):
    """## What it does
    Finds operations of TensorFlow and of `tf.keras.backend` that are given a symbolic tensor of Keras
    (what `keras.Input` gives, and each layer that is called on it) where Keras 3 is the target; and what
    sets a variable of Keras by `tf.keras.backend.set_value`, `update`, `update_add` or `update_sub`.

    Left alone is what a layer or model computes in its `call`, and the function of a `Lambda` layer: Keras
    gives them a tensor of a graph. So are Python's operators (`x + y`), other functions of `tf.keras`, and
    code for Keras 2.

    ## Why is this bad?
    Keras 2 made a layer of each such operation. Keras 3 does not, and the operation raises `ValueError`: "A
    KerasTensor cannot be used as input to a TensorFlow function". Its variables are no variables of
    TensorFlow, and what takes them for that raises `AttributeError`.

    ## Example
    ```python
    import tensorflow as tf

    inputs = tf.keras.Input((8,))
    hidden = tf.nn.relu(tf.keras.layers.Dense(4)(inputs))
    model = tf.keras.Model(inputs, hidden)
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    inputs = tf.keras.Input((8,))
    hidden = tf.keras.ops.relu(tf.keras.layers.Dense(4)(inputs))
    model = tf.keras.Model(inputs, hidden)
    ```

    A layer does as well: `tf.keras.layers.ReLU()`, one of your own, or `tf.keras.layers.Lambda(tf.nn.relu)`.

    ## Fix safety
    `set_value(variable, value)` and the like that stand by themselves become `variable.assign(value)`.
    That is safe where the program cannot live on the error, as `unknown-symbol` tells, and unsafe elsewhere.
    There is no fix for operations: what `tf.keras.ops` has often takes other arguments.

    ## References
    - [Migrating Keras 2 code to multi-backend Keras 3](https://keras.io/guides/migrating_to_keras_3/)
    - [The Functional API](https://keras.io/guides/functional_api/)
    """

    code = "TXL507"
    name = "keras-object-in-op"
    summary = "An operation is given an object of Keras 3 that it refuses"
    level = Level.ERROR
    fixes = (Applicability.SAFE, Applicability.UNSAFE)
    gathered = "operations that are given what Keras 3 makes, and refuse it"
    needs = ("@imported",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at what operations are given."""
        if not model.world.runs_keras_3(model.module):
            return
        for call in model.nodes(cst.Call):
            report = _of_variable(model, call) or _of_tensor(model, call)
            if report is not None and not depends_on_version(model, call):
                yield report


def _of_tensor(model: SemanticModel, call: cst.Call) -> Report | None:
    """What to say of an operation on a symbolic tensor."""
    names = model.names.of(call.func)
    if not names or not all(map(_refuses, names)):
        return None
    given = (model.value(argument.value) for argument in call.args)
    parts = [leaf for value in given for leaf in leaves(value)]
    if not any(leaf.kind is Kind.KERAS_TENSOR and leaf.is_sure for leaf in parts):
        return None
    message = (
        f"`{shown(min(names))}` is given a symbolic tensor of Keras, and raises with Keras 3; use what "
        "`tf.keras.ops` has for it, or a layer"
    )
    return Report(call, message)


def _of_variable(model: SemanticModel, call: cst.Call) -> Report | None:
    """What to say of a function that sets a variable of Keras."""
    name = model.names.one(call.func)
    method = _SETTING.get(name or "")
    variable = argument(call, "x", 0)
    if name is None or method is None or variable is None:
        return None
    held = model.value(variable)
    if not held.is_keras_variable or not held.is_sure:
        return None
    message = (
        f"`{shown(name)}` is given a variable of Keras, and raises with Keras 3; it has a method "
        f"`{method}`"
    )
    return Report(call, message, (), _by_method(model, call, variable, method))


def _by_method(
    model: SemanticModel, call: cst.Call, variable: cst.BaseExpression, method: str
) -> Rewrite | None:
    """The same by a method of the variable, where nothing takes what the function gives."""
    is_written = isinstance(variable, (cst.Name, cst.Attribute, cst.Subscript))
    if len(call.args) != 2 or not is_written or fails_on_import(model):
        return None
    value = next(given.value for given in call.args if given.value is not variable)
    if any(given.star for given in call.args) or not isinstance(model.parent(call), cst.Expr):
        return None
    text = f"{model.code(variable)}.{method}({model.code(value)})"
    title = f"Call the variable's `{method}`"
    return mending(model, call, title, [Replace(call, text)])


def _refuses(name: str) -> bool:
    is_of_keras = name.startswith(_OF_KERAS) and not name.startswith(_BACKEND)
    return api.is_op(name) and not is_of_keras and name not in _TAKING
