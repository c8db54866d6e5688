"""TXL507 keras-tensor-in-op."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.rule import Report, Rule
from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind, Value, leaves

from .shared.version_guards import depends_on_version

_ROOT = "tensorflow."
#: The functions of Keras take its symbolic tensors; its losses and metrics have names of their own.
_OF_KERAS = ("tensorflow.keras.", "tensorflow.losses.", "tensorflow.metrics.", "tensorflow.compat.")
_TAKING = behaviour.names(Trait.TAKES_SYMBOLIC) | behaviour.names(Trait.CHECKS)


class KerasTensorInOp(Rule):
    """## What it does
    Finds operations of TensorFlow that are given a symbolic tensor of Keras (what `keras.Input` gives,
    and each layer that is called on it) where Keras 3 is the target.

    Left alone is what a layer or model computes in its `call`, and the function of a `Lambda` layer: Keras
    gives them a tensor of a graph. So are Python's operators (`x + y`), functions of `tf.keras`, and code
    for Keras 2.

    ## Why is this bad?
    Keras 2 made a layer of each such operation. Keras 3 does not, and the operation raises `ValueError`: "A
    KerasTensor cannot be used as input to a TensorFlow function".

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

    ## References
    - [Migrating Keras 2 code to multi-backend Keras 3](https://keras.io/guides/migrating_to_keras_3/)
    - [The Functional API](https://keras.io/guides/functional_api/)
    """

    code = "TXL507"
    name = "keras-tensor-in-op"
    summary = "An operation of TensorFlow is given a symbolic tensor of Keras, which it refuses"
    level = Level.ERROR
    gathered = "operations that are given symbolic tensors of Keras"
    needs = ("@imported",)

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Look at what operations are given."""
        if not model.world.runs_keras_3:
            return
        for call in model.nodes(cst.Call):
            if _is_refused(model, call) and not depends_on_version(model, call):
                shown = "tf." + min(model.names.of(call.func)).removeprefix(_ROOT)
                yield Report(
                    call,
                    f"`{shown}` is given a symbolic tensor of Keras, and raises with Keras 3; use what "
                    "`tf.keras.ops` has for it, or a layer",
                )


def _is_refused(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call is surely one of an operation on a symbolic tensor."""
    names = model.names.of(call.func)
    if not names or not all(map(_refuses, names)):
        return False
    given = (model.value(argument.value) for argument in call.args)
    return any(_is_surely_symbolic(leaf) for value in given for leaf in leaves(value))


def _refuses(name: str) -> bool:
    return api.is_op(name) and not name.startswith(_OF_KERAS) and name not in _TAKING


def _is_surely_symbolic(value: Value) -> bool:
    return value.kind is Kind.KERAS_TENSOR and not (value.mixed or value.by_use or value.choices)
