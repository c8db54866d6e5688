"""Operations in compiled code for which XLA has no kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour, symbols, xla
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.guards import caught, in_init_scope
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value

_ROOT = "tensorflow."
#: Operations with an effect of their own: a graph keeps them though nothing uses their result.
_STATEFUL = frozenset(
    _ROOT + name
    for name in ("print", "py_function", "numpy_function", "io.write_file", "raw_ops.PrintV2",
                 "raw_ops.Print")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnsupportedOp:
    """A node that makes such an operation; `what` names the operation and the endpoint."""

    node: cst.CSTNode
    what: str


def unsupported_ops(model: SemanticModel, unit: Unit) -> Iterator[UnsupportedOp]:
    """The calls and loops of a compiled unit that keep it from being compiled."""
    for node in unit.nodes(into_scopes=False):
        found = None
        if isinstance(node, cst.Call):
            found = _call(model, node)
        elif isinstance(node, cst.For) and model.value(node.iter).kind is Kind.DATASET:
            found = UnsupportedOp(node.iter, "`ScanDataset` (a loop over a dataset)")
        if found is not None and _is_compiled(model, node):
            yield found


def _is_compiled(model: SemanticModel, node: cst.CSTNode) -> bool:
    return (
        surely_runs(model, node)
        and not in_init_scope(model, node)
        and not caught(model, node, frozenset())
    )


def _call(model: SemanticModel, node: cst.Call) -> UnsupportedOp | None:
    name = model.names.one(node.func)
    if name is None or not name.startswith(_ROOT):
        return None
    verdict = xla.verdict(name, model.tf_version)
    if verdict is None:
        return None
    verdict = verdict.when(_literals(model, node, name))
    if verdict.status != "unsupported" or not _stays(model, node, name):
        return None
    ops = ", ".join(f"`{op}`" for op in verdict.ops)
    return UnsupportedOp(node, f"{ops} (`tf.{name.removeprefix(_ROOT)}`)")


def _stays(model: SemanticModel, node: cst.Call, name: str) -> bool:
    """Whether the graph keeps the operation: it is neither pruned nor folded into a constant."""
    if name in _STATEFUL:
        return True
    if isinstance(model.parent(node), cst.Expr):
        return False
    return not node.args or any(not _is_literal(model, a.value) for a in node.args)


def _is_literal(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is known while tracing, whatever it is made of."""
    if isinstance(node, cst.Call):
        is_pure = behaviour.holds(Trait.SAME, model.names.one(node.func) or "")
        return is_pure and all(_is_literal(model, argument.value) for argument in node.args)
    return _is_written_out(model.value(node))


def _is_written_out(value: Value) -> bool:
    if value.kind in (Kind.LIST, Kind.TUPLE) and value.elements is not None:
        return all(map(_is_written_out, value.elements))
    return value.has_constant or value.kind is Kind.DTYPE


def _literals(model: SemanticModel, node: cst.Call, name: str) -> dict[str, str]:
    """The arguments of a call that are written out, by parameter, as source text."""
    symbol = symbols.find(name, model.tf_version)
    ordered = [p.name for p in symbol.params or ()] if symbol is not None else []
    found: dict[str, str] = {}
    for index, argument in enumerate(node.args):
        if argument.star:
            break
        if argument.keyword is not None:
            key = argument.keyword.value
        elif index < len(ordered):
            key = ordered[index]
        else:
            continue
        text = _source(model, argument.value)
        if text is not None:
            found[key] = text
    return found


def _source(model: SemanticModel, node: cst.BaseExpression) -> str | None:
    value = model.value(node)
    if value.has_constant:
        return repr(value.constant)
    name = model.names.one(node)
    member = symbols.find(name, model.tf_version) if name and name.startswith(_ROOT) else None
    return member.value if member is not None else None
