"""The annotations of a new function, where the code around it has such."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.knowledge import tables
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

#: By kind: what TensorFlow calls the type.
_TYPES = {Kind[kind.upper()]: name for kind, name in tables.load("naming")["annotations"].items()}


def is_annotated(model: SemanticModel, unit: Unit) -> bool:
    """Whether the code around a new function annotates what it takes and gives."""
    if isinstance(unit.node, cst.FunctionDef):
        return _annotates_all(unit.node)
    functions = list(model.nodes(cst.FunctionDef))
    return bool(functions) and all(map(_annotates_all, functions))


def _annotates_all(function: cst.FunctionDef) -> bool:
    parameters = [p for p in function.params.params if p.name.value not in ("self", "cls")]
    return function.returns is not None and all(p.annotation is not None for p in parameters)


def of_parameter(model: SemanticModel, unit: Unit, name: str, value: Value | None) -> str | None:
    """The annotation of a parameter; one that the function around has keeps its own."""
    parameter = unit.parameter(name)
    if parameter is not None and parameter.node.annotation is not None:
        return model.code(parameter.node.annotation.annotation)
    return _of(model, unit, value) if value is not None else None


def of_results(model: SemanticModel, unit: Unit, values: Sequence[Value]) -> str | None:
    """The annotation of what a trace returns, in which numbers have become tensors."""
    hints = [
        _of(model, unit, value)
        if value.kind not in NUMBERS
        else tensorflow_name(model, "Tensor", unit.node)
        for value in values
    ]
    if len(hints) < 2:
        return hints[0] if hints else "None"
    holder = _container(model, "tuple")
    return f"{holder}[{', '.join(h for h in hints if h)}]" if holder and all(hints) else None


def _of(model: SemanticModel, unit: Unit, value: Value) -> str | None:
    if value.mixed or value.maybe_none:
        return None
    if value.kind is Kind.LIST:
        members = value.elements or ([value.item] if value.item else [])
        inner = {_of(model, unit, member) for member in members}
        only = inner.pop() if len(inner) == 1 else None
        holder = _container(model, "list")
        return f"{holder}[{only}]" if only and holder else None
    name = _TYPES.get(value.kind)
    return tensorflow_name(model, name, unit.node) if name is not None else None


def _container(model: SemanticModel, name: str) -> str | None:
    """`list`, or `List` where the file imports that."""
    scope = model.binder.module_scope
    for local in scope.bindings:
        if model.names.lookup(local, scope) == {f"typing.{name.capitalize()}"}:
            return local
    text = model.source.text
    is_modern = f"{name}[" in text or "from __future__ import annotations" in text
    return name if is_modern else None
