"""Gives `tf.function` the option that lets its traces take tensors of other shapes."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, ReplaceDecorator
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Tracing

_OPTION = "reduce_retracing=True"
_SINCE = (2, 9)
_OTHERS = ("reduce_retracing", "experimental_relax_shapes", "input_signature")


def relaxed(model: SemanticModel, tracing: Tracing) -> NodeEdit | None:
    """The edit of a decorator or of a `tf.function(...)` call, or None where it is neither."""
    if model.tf_version is not None and model.tf_version < _SINCE:
        return None
    if any(tracing.option(name) is not None for name in _OTHERS):
        return None
    node = tracing.node
    expression = node.decorator if isinstance(node, cst.Decorator) else node
    if isinstance(expression, cst.Call):
        is_plain = model.names.one(expression.func) == "tensorflow.function"
        is_plain = is_plain and not any(argument.star for argument in expression.args)
        return InsertArgument(expression, _OPTION) if is_plain else None
    if not isinstance(node, cst.Decorator) or model.names.one(expression) != "tensorflow.function":
        return None
    return ReplaceDecorator(node, f"{model.module.code_for_node(expression)}({_OPTION})")
