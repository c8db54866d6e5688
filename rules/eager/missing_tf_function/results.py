"""A conversion of what a function returns moves to the calls: `float(train_step(x, y))`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace, Rewrite
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind

#: Words of a docstring that speak of what would change.
_PROMISES = ("float", "numpy", "number", "array", "python")


def converted_by_calls(
    model: SemanticModel, unit: Unit, blockers: Sequence[Blocker]
) -> list[NodeEdit] | None:
    """The edits that let a function return its tensor, and its calls make a number of it.

    None where something else than the conversion is in the way, or not all that use the function
    are calls of this module.
    """
    returned = _only_return(unit)
    if returned is None or returned.value is None or not _is_alone(model, unit):
        return None
    inside = {id(node) for node in walk(returned)}
    if not blockers or any(id(blocker.node) not in inside for blocker in blockers):
        return None
    tensor, form = _converted(model, returned.value)
    edges = model.calls.untraced(unit)
    if tensor is None or not _are_all_uses(model, unit, edges):
        return None
    code = model.code
    bare = code(tensor.with_changes(lpar=(), rpar=()))
    edits: list[NodeEdit] = [Replace(returned.value, code(tensor) if "\n" in bare else bare)]
    for edge in edges:
        if not isinstance(model.parent(edge.node), cst.Expr):
            edits.append(Replace(edge.node, form.format(code(edge.node))))
    return edits


def with_edits(rewrite: Rewrite, edits: Sequence[NodeEdit]) -> Rewrite:
    """The rewrite that does this as well."""
    return replace(rewrite, edits=[*rewrite.edits, *edits])


def _only_return(unit: Unit) -> cst.Return | None:
    """The one `return` of a function, at its end."""
    node = unit.node
    if not isinstance(node, cst.FunctionDef) or not node.body.body:
        return None
    found = [n for n in walk(node, into_scopes=False) if isinstance(n, cst.Return)]
    last = node.body.body[-1]
    if len(found) != 1 or not isinstance(last, cst.SimpleStatementLine):
        return None
    return found[0] if last.body[-1] is found[0] else None


def _is_alone(model: SemanticModel, unit: Unit) -> bool:
    """Whether a plain function of the module says nothing of the type that it returns."""
    node = unit.node
    if not isinstance(node, cst.FunctionDef) or node.returns is not None or node.decorators:
        return False
    text = (node.get_docstring() or "").lower()
    plain = unit.method is MethodKind.NONE and unit.parent is model.units.module
    return plain and not any(word in text for word in _PROMISES)


def _converted(
    model: SemanticModel, value: cst.BaseExpression
) -> tuple[cst.BaseExpression | None, str]:
    """The tensor that an expression makes a number or array of, and how it does."""
    if not isinstance(value, cst.Call):
        return None, ""
    if model.names.of(value.func) == {"builtins.float"} and len(value.args) == 1:
        inner = value.args[0].value
        return (inner, "float({})") if model.value(inner).is_tensor else (None, "")
    function = model.value(value.func)
    if function.kind is Kind.METHOD and function.name == "numpy" and not value.args:
        if isinstance(value.func, cst.Attribute) and model.value(value.func.value).is_tensor:
            return value.func.value, "{}.numpy()"
    return None, ""


def _are_all_uses(model: SemanticModel, unit: Unit, edges: Sequence[Edge]) -> bool:
    """Whether nothing but these calls, none inside of another, uses the function."""
    calls = [edge.node for edge in edges]
    if not calls or not all(isinstance(c, cst.Call) and model.is_own(c) for c in calls):
        return False
    called = {id(call.func) for call in calls if isinstance(call, cst.Call)}
    scopes = (model.binder.module_scope, *model.binder.inner_scopes.values())
    reads = [read for scope in scopes for read in scope.reads.get(unit.name, ())]
    if {id(read) for read in reads} != called or len(calls) != len(called):
        return False
    nested = [n for c in calls for a in model.ancestors(c) for n in calls if n is a]
    return not nested and not _is_imported(model, unit.name)


def _is_imported(model: SemanticModel, name: str) -> bool:
    """Whether another module of the project may import the function."""
    for node in model.everywhere(cst.ImportFrom):
        if model.is_own(node) or isinstance(node.names, cst.ImportStar):
            continue
        if any(alias.evaluated_name == name for alias in node.names):
            return True
    return any(
        node.attr.value == name and not model.is_own(node)
        for node in model.everywhere(cst.Attribute)
    )
