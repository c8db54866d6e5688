"""Origins: the expressions that make the object which an expression names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_DEPTH = 6
_FUNCTIONS = frozenset({Kind.FUNCTION, Kind.METHOD})
_SINGLE = frozenset({"tensorflow.keras.Sequential", "tensorflow.keras.models.Sequential"})
_FUNCTIONAL = frozenset({"tensorflow.keras.Model", "tensorflow.keras.models.Model"})


def origins(
    model: SemanticModel, node: cst.BaseExpression, depth: int = _DEPTH
) -> list[cst.BaseExpression]:
    """The expressions whose value `node` can be, through names, attributes and returns.

    Empty where one of them is unknown (a parameter, an import, a name that is unpacked).
    """
    if depth == 0:
        return []
    nearer: list[cst.BaseExpression | None]
    if isinstance(node, cst.Name):
        bindings = model.binder.scope(node).lookup(node.value)
        kinds = {binding.kind for binding in bindings}
        nearer = [b.value for b in bindings] if kinds == {BindingKind.ASSIGNMENT} else [None]
    elif isinstance(node, cst.Attribute):
        nearer = list(assigned(model, node))
    elif isinstance(node, cst.Call) and _runs_function(model, node):
        nearer = _returned(model, node)
    else:
        return [node]
    found: list[cst.BaseExpression] = []
    for expression in nearer:
        further = origins(model, expression, depth - 1) if expression is not None else []
        if not further:
            return []
        found += further
    return found


def _runs_function(model: SemanticModel, call: cst.Call) -> bool:
    return model.value(call.func).kind in _FUNCTIONS and bool(model.callees(call))


def assignments(model: SemanticModel, info: ClassInfo, name: str) -> list[cst.CSTNode]:
    """The statements and other nodes that bind an attribute of the instances of a class."""
    return [write.statement for write in model.flow.attributes.written(info, name)]


def assigned(model: SemanticModel, node: cst.Attribute) -> list[cst.BaseExpression | None]:
    """What is assigned to an attribute of a first-party class; None for what is not plain."""
    info = model.value(node.value).class_
    if info is None:
        return [None]
    found = [write.value for write in model.flow.attributes.written(info, node.attr.value)]
    return found or [None]


def _returned(model: SemanticModel, call: cst.Call) -> list[cst.BaseExpression | None]:
    found: list[cst.BaseExpression | None] = []
    for callee in model.callees(call):
        for node in walk(callee.unit.node, into_scopes=False):
            if isinstance(node, cst.Return):
                found.append(node.value)
    return found or [None]


def has_one_output(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives one tensor, not a list or dict of them."""
    made = origins(model, node)
    return bool(made) and all(_makes_one_output(model, expression) for expression in made)


def has_list_of_outputs(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a Keras model surely gives a list of several tensors."""
    made = origins(model, node)
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
