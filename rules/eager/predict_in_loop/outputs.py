"""Whether a Keras model surely gives one tensor, or a list of them."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

_SINGLE = frozenset({"tensorflow.keras.Sequential", "tensorflow.keras.models.Sequential"})
_FUNCTIONAL = frozenset({"tensorflow.keras.Model", "tensorflow.keras.models.Model"})


def has_one_output(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives one tensor, not a list or dict of them."""
    made = makers(model.flow, node)
    return bool(made) and all(_makes_one_output(model, expression) for expression in made)


def has_list_of_outputs(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives a list of several tensors."""
    made = makers(model.flow, node)
    return bool(made) and all(_makes_list(model, expression) for expression in made)


def _makes_list(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call) or not model.names.of(node.func) & _FUNCTIONAL:
        return False
    outputs = _outputs(node)
    if not isinstance(outputs, cst.List) or len(outputs.elements) < 2:
        return False
    return all(model.value(e.value).kind is Kind.KERAS_TENSOR for e in outputs.elements)


def _outputs(node: cst.Call) -> cst.BaseExpression | None:
    """What a call of `keras.Model` is given for outputs."""
    plain = [a.value for a in node.args if a.keyword is None]
    named = [a.value for a in node.args if a.keyword and a.keyword.value == "outputs"]
    return next(iter(named or plain[1:2]), None)


def _makes_one_output(model: SemanticModel, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call):
        return False
    names = model.names.of(node.func)
    if names & _FUNCTIONAL:
        outputs = _outputs(node)
        return outputs is not None and model.value(outputs).kind is Kind.KERAS_TENSOR
    if names & _SINGLE or any(n.startswith("tensorflow.keras.applications.") for n in names):
        return True
    info = model.value(node).class_
    method = info.method("call") if info is not None else None
    return method is not None and method.returns.is_tensor
