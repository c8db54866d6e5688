"""Tensors that each turn of a loop hands to the next one in another size, and arguments like them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.reaching import assigned_value
from tfxla_lint.semantics.retracing.sizes_of_data import assigned, is_mask, is_sized_by_data
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Loop
    from tfxla_lint.semantics.model import SemanticModel

_DEPTH = 6
_TF, _NP = "tensorflow.", "numpy."
_JOINING = behaviour.names(Trait.JOINS)
_CUTTING = behaviour.names(Trait.RESIZES)
_KEEPING = behaviour.keeping_shape()
_GATHERING = frozenset({_TF + "gather", _NP + "take"})
#: What gives the indices of all rows in another order.
_ORDERING = behaviour.names(Trait.PERMUTES)
_ORDERING_METHODS = frozenset({"permutation", "argsort"})


def has_changing_size(model: SemanticModel, unit: Unit, name: str, loops: Sequence[Loop]) -> bool:
    """Whether a name of `unit` holds arrays of several sizes, in turns of `loops` or from calls."""
    bindings = unit.scope.bindings.get(name, ())
    if any(b.value is not None and is_sized_by_data(model, b.value) for b in bindings):
        return True
    parameter = unit.parameter(name)
    if parameter is not None and takes_changing_size(model, unit, parameter):
        return True
    return any(_is_carried(model, name, bindings, loop) for loop in loops)


def takes_changing_size(model: SemanticModel, unit: Unit, parameter: Parameter) -> bool:
    """Whether calls pass arrays of several sizes: picked by a mask, or handed on by a loop."""
    for edge in model.calls.untraced(unit):
        given = edge.argument(parameter.name)
        if given is None:
            continue
        if is_sized_by_data(model, given):
            return True
        if isinstance(given, cst.Name):
            bindings = edge.caller.scope.bindings.get(given.value, ())
            loops = model.loops.around(edge.node, edge.caller)
            if any(_is_carried(model, given.value, bindings, loop) for loop in loops):
                return True
    return False


def _is_carried(model: SemanticModel, name: str, bindings: Iterable[Binding], loop: Loop) -> bool:
    """Whether a turn of `loop` rebinds a name to something of another size, made of itself."""
    return any(
        resized(model, value, name, _DEPTH)
        for binding in bindings
        if loop in model.ancestors(binding.node) and (value := _value(model, binding)) is not None
    )


def _value(model: SemanticModel, binding: Binding) -> cst.BaseExpression | None:
    if binding.value is not None:
        return binding.value
    unpacked = assigned_value(model, binding)
    if unpacked is None or not isinstance(unpacked[0], (cst.Tuple, cst.List)):
        return None
    return unpacked[0].elements[unpacked[1]].value


def resized(model: SemanticModel, node: cst.BaseExpression, name: str, depth: int) -> bool:
    """Whether an expression is what `name` holds, made longer or cut."""
    if depth == 0:
        return False
    if isinstance(node, cst.Subscript):
        is_cut = any(_cuts(model, element.slice) for element in node.slice)
        return (is_cut and _is_whole(model, node.value, name)) or resized(
            model, node.value, name, depth - 1
        )
    if isinstance(node, cst.IfExp):
        return any(resized(model, side, name, depth - 1) for side in (node.body, node.orelse))
    if isinstance(node, cst.Name):
        return node.value != name and _is_local_resized(model, node, name, depth - 1)
    return isinstance(node, cst.Call) and _is_call_resized(model, node, name, depth - 1)


def _is_local_resized(model: SemanticModel, node: cst.Name, name: str, depth: int) -> bool:
    bindings = model.unit(node).scope.bindings.get(node.value, ())
    values = (_value(model, binding) for binding in bindings)
    return any(resized(model, value, name, depth) for value in values if value is not None)


def _is_call_resized(model: SemanticModel, node: cst.Call, name: str, depth: int) -> bool:
    names = model.names.of(node.func)
    plain = [argument.value for argument in node.args if not argument.star]
    if names & _JOINING and plain:
        first = plain[0]
        members = plain[:2]
        if isinstance(first, (cst.List, cst.Tuple)):
            members = [element.value for element in first.elements]
        return any(_is_whole(model, each, name) for each in members)
    if names & _CUTTING and plain:
        is_shuffled = len(plain) > 1 and bool(names & _GATHERING) and _shuffles(model, plain[1])
        return _is_whole(model, plain[0], name) and not is_shuffled
    if names & _KEEPING and plain:
        return resized(model, plain[0], name, depth)
    return any(
        _is_resized_by(model, callee.unit, node, name, depth) for callee in model.callees(node)
    )


def _is_resized_by(model: SemanticModel, unit: Unit, call: cst.Call, name: str, depth: int) -> bool:
    """Whether a function returns what it is passed for `name`, made longer or cut."""
    edge = Edge(model.unit(call), unit, call)
    inner = [
        p.name
        for p in unit.parameters
        if (given := edge.argument(p.name)) is not None and _is_whole(model, given, name)
    ]
    returned = (n.value for n in walk(unit.node, into_scopes=False) if isinstance(n, cst.Return))
    return any(
        resized(model, value, each, depth)
        for value in returned
        if value is not None
        for each in inner
    )


def _is_whole(model: SemanticModel, node: cst.BaseExpression, name: str) -> bool:
    """Whether an expression is all that `name` holds, as it is or cast."""
    if isinstance(node, cst.Name):
        return node.value == name
    if isinstance(node, cst.Call) and model.names.of(node.func) & _KEEPING and node.args:
        return _is_whole(model, node.args[0].value, name)
    return False


def _shuffles(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether indices are all of them, in another order."""
    if isinstance(node, cst.Name):
        calls = [value for value in assigned(model, node) if isinstance(value, cst.Call)]
        return bool(calls) and all(_shuffles(model, call) for call in calls)
    if not isinstance(node, cst.Call):
        return False
    if model.names.of(node.func) & _ORDERING:
        return True
    return isinstance(node.func, cst.Attribute) and node.func.attr.value in _ORDERING_METHODS


def _cuts(model: SemanticModel, part: cst.BaseSlice) -> bool:
    if isinstance(part, cst.Slice):
        return part.lower is not None or part.upper is not None
    return isinstance(part, cst.Index) and is_mask(model, part.value)


def size_read(
    model: SemanticModel, statements: Sequence[cst.CSTNode], names: set[str]
) -> cst.CSTNode | None:
    """Where statements ask Python for the size of what comes of one of `names`, or None."""
    known = set(names)
    for _ in range(3):
        for root in statements:
            for node in walk(root, into_scopes=False):
                if isinstance(node, cst.Assign) and _mentions(node.value, known):
                    targets = (n for t in node.targets for n in walk(t.target))
                    known |= {n.value for n in targets if isinstance(n, cst.Name)}
    nodes = (node for root in statements for node in walk(root))
    return next((node for node in nodes if _reads_size(model, node, known)), None)


def _mentions(node: cst.CSTNode, names: set[str]) -> bool:
    return any(isinstance(n, cst.Name) and n.value in names for n in walk(node))


def _reads_size(model: SemanticModel, node: cst.CSTNode, names: set[str]) -> bool:
    if isinstance(node, cst.Attribute) and node.attr.value in ("shape", "get_shape"):
        return _mentions(node.value, names)
    if not isinstance(node, cst.Call) or not any(_mentions(a.value, names) for a in node.args):
        return False
    if model.names.of(node.func) & _READERS:
        return True
    return any(model.safety.reads_static_shape(c.unit.body) for c in model.callees(node))


_READERS = behaviour.names(Trait.READS_SIZE)
