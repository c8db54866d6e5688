"""Calls of `compile` on Keras models that leave it to Keras whether XLA compiles the model."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.values import Kind

from ..shared.xla_switches import hidden_gpus

#: The first TensorFlow whose Keras is Keras 3.
_FIRST_KERAS_3 = (2, 16)
#: The place of `jit_compile` among the parameters of `compile`.
_POSITION = 7
#: Layers for which Keras 3 does without XLA (the recurrent ones: for cuDNN, on a GPU).
_FORBIDDING = behaviour.names(Trait.NOT_COMPILED)
_DETERMINISM = "tensorflow.config.experimental.enable_op_determinism"
_STRATEGIES = "tensorflow.distribute."


def left_to_keras(model: SemanticModel) -> Iterator[cst.Call]:
    """The calls of `compile` after which Keras 3 may turn XLA on by itself."""
    calls = [call for call in model.nodes(cst.Call) if _leaves_open(model, call)]
    if calls and _is_keras_3(model) and not _rules_xla_out(model):
        yield from calls


def _leaves_open(model: SemanticModel, call: cst.Call) -> bool:
    function = model.value(call.func)
    receiver = function.receiver
    if function.kind is not Kind.METHOD or function.name != "compile" or function.unit is not None:
        return False
    if receiver is None or receiver.kind is not Kind.MODEL or receiver.name == "super":
        return False
    if any(argument.star for argument in call.args):
        return False
    named = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
    plain = [a for a in call.args if a.keyword is None]
    eager = named.get("run_eagerly")
    is_graph = eager is None or (isinstance(eager, cst.Name) and eager.value == "False")
    return "jit_compile" not in named and is_graph and len(plain) <= _POSITION


def _is_keras_3(model: SemanticModel) -> bool:
    target = model.tf_version
    is_new = target is None or target >= _FIRST_KERAS_3
    return (
        is_new
        and model.world.runs_keras_3(model.module)
        and "KERAS_BACKEND" not in model.source.text
    )


def _rules_xla_out(model: SemanticModel) -> bool:
    """Whether the module holds something for which Keras or TensorFlow does without XLA."""
    if hidden_gpus(model) is not None or functions_run_eagerly(model) is not None:
        return True
    for node in (*model.nodes(cst.Attribute), *model.nodes(cst.Name)):
        for name in model.names.of(node):
            if name in _FORBIDDING or name == _DETERMINISM or name.startswith(_STRATEGIES):
                return True
        if isinstance(node, cst.Attribute) and node.attr.value == "jit_compile":
            return True
    return False
