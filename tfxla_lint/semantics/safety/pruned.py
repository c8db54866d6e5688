"""What a graph leaves out though eager code runs it: operations on whose values nothing depends.

With them goes what they would have raised, such as for an index that is out of range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.units import Unit

_VALUE_FREE = behaviour.names(Trait.VALUE_FREE)
#: What changes by its methods, which a trace keeps.
_CHANGING = frozenset({Kind.VARIABLE, Kind.METRIC, Kind.OPTIMIZER, Kind.GENERATOR, Kind.TAPE})


def pruned(model: Answers, roots: Sequence[cst.CSTNode]) -> Iterator[tuple[cst.CSTNode, str]]:
    """What of some code a graph leaves out, with the words for it."""
    for root in roots:
        for node in walk(root):
            if isinstance(node, cst.Expr):
                if _is_dropped(model, node):
                    yield node, f"nothing takes what `{_head(model, node.value)}` gives"
            elif isinstance(node, cst.Assign):
                if name := _unread(model, node):
                    yield node, f"nothing reads `{name}`"
            elif isinstance(node, cst.Call) and model.names.of(node.func) & _VALUE_FREE:
                if node.args and _is_only_measured(model, node.args[0].value):
                    yield node, f"`{_head(model, node)}` needs no values"


def _head(model: Answers, node: cst.BaseExpression) -> str:
    return model.code(node.func if isinstance(node, cst.Call) else node)


def _is_dropped(model: Answers, line: cst.Expr) -> bool:
    """Whether a statement computes tensors and does nothing with them."""
    node = line.value
    if not isinstance(node, cst.Call):
        return bool(model.works.of([line]).total)
    edges = model.calls.at(node)
    if edges:
        return any(_gives_more(model, edge.callee) for edge in edges)
    value = model.value(node.func)
    if value.receiver is not None and value.receiver.kind in _CHANGING:
        return False
    is_changing = model.value(node.func).kind in _CHANGING
    return model.value(node).kind is Kind.TENSOR and not is_changing


def _gives_more(model: Answers, unit: Unit) -> bool:
    """Whether what a function gives back is computed for that alone."""
    returns = [node for node in walk(unit.node) if isinstance(node, cst.Return) and node.value]
    for node in returns:
        assert node.value is not None
        for part in walk(node.value):
            if isinstance(part, (cst.Call, cst.BinaryOperation)) and _computes(model, part):
                return True
            if isinstance(part, cst.Name) and _computed_name(model, part):
                reads = unit.scope.reads.get(part.value, ())
                if all(any(r is p for n in returns for p in walk(n)) for r in reads):
                    return True
    return False


def _computed_name(model: Answers, name: cst.Name) -> bool:
    """Whether a name of the function's own holds what some statement computes."""
    scope = model.binder.scope(name)
    bound = scope.bindings.get(name.value, ())
    return any(b.value is not None and _computes(model, b.value) for b in bound)


def _computes(model: Answers, node: cst.CSTNode) -> bool:
    return bool(model.works.of([node]).total)


def _unread(model: Answers, line: cst.Assign) -> str | None:
    """A name to which a statement binds what it computes, and of which nothing reads that."""
    if not all(isinstance(t.target, (cst.Name, cst.Tuple)) for t in line.targets):
        return None
    names = {name for target in line.targets for name in target_names(target.target)}
    if not names or any(_is_read(model, line, name) for name in names):
        return None
    return min(names) if _computes(model, line) else None


def _is_read(model: Answers, line: cst.Assign, name: str) -> bool:
    """Whether some read may see what a statement binds to a name."""
    scope = model.unit(line).scope
    home = scope.home(name) or scope
    if name in model.flow.liveness(home).always_live():
        return True
    inside = {id(node) for target in line.targets for node in walk(target)}
    return any(model.flow.readers(binding) for binding in home.bound_by(name, inside))


def _is_only_measured(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a tensor is computed for its size or dtype alone."""
    if not isinstance(node, cst.Name):
        return _computes(model, node)
    if not _computed_name(model, node):
        return False
    reads = model.binder.scope(node).reads.get(node.value, ())
    return all(_is_measuring(model, read) for read in reads)


def _is_measuring(model: Answers, read: cst.Name) -> bool:
    argument = model.parent(read)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    return isinstance(call, cst.Call) and bool(model.names.of(call.func) & _VALUE_FREE)
