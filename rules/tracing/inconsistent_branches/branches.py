"""Branches of an `if` on a tensor that do not agree: the graph runs either, and needs one outcome."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import is_tensor_test
from ..shared.single_tensor import is_one_tensor
from .dtypes import differ, dtype_of, words
from .returning import falls_off, returned


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A test on a tensor, what its two sides disagree on, and the places that show it.

    `number` is a Python number beside a tensor of float32.
    """

    node: cst.CSTNode
    what: str
    proofs: tuple[tuple[cst.CSTNode, str], ...]
    number: cst.BaseExpression | None = None


@dataclass(frozen=True, slots=True)
class _Side:
    """What a name, or the result, is on one side."""

    node: cst.CSTNode
    value: cst.BaseExpression | None


def disagreements(model: SemanticModel, unit: Unit) -> Iterator[Disagreement]:
    """The tests of a traced and converted unit on which tracing fails."""
    for node in unit.own(cst.If, cst.IfExp):
        if isinstance(node, cst.IfExp) and is_tensor_test(model, node.test):
            sides = (_Side(node.body, node.body), _Side(node.orelse, node.orelse))
            yield from _compare(model, node.test, "the expression", sides)
        elif isinstance(node, cst.If) and is_tensor_test(model, node.test):
            yield from _returns(model, unit, node)
            yield from _names(model, unit, node)


# What is returned


def _returns(model: SemanticModel, unit: Unit, node: cst.If) -> Iterator[Disagreement]:
    if model.loops.around(node, unit):
        return
    lone = falls_off(model, node)
    if lone is not None:
        what = "only one side of a test on a tensor returns"
        yield Disagreement(node.test, what, ((lone, "returned on one side"),))
        return
    pair = returned(model, node)
    if pair is not None:
        if _is_none(pair[0].value) and _is_none(pair[1].value):
            what = "`return` without a value below a test on a tensor"
            yield Disagreement(
                node.test, what, tuple((side, "nothing is returned") for side in pair)
            )
            return
        sides = (_Side(pair[0], pair[0].value), _Side(pair[1], pair[1].value))
        yield from _compare(model, node.test, "the result", sides)


# Names


def _names(model: SemanticModel, unit: Unit, node: cst.If) -> Iterator[Disagreement]:
    then = _bound_in(unit, node.body)
    other = _bound_in(unit, node.orelse) if node.orelse is not None else {}
    bound = dict.fromkeys([*then, *other])
    if not bound:
        return
    live = model.flow.liveness(unit.scope).after_converted(node)
    for name in bound:
        if name in live:
            yield from _name(model, unit, node, name, (then.get(name, []), other.get(name, [])))


def _bound_in(unit: Unit, block: cst.CSTNode) -> dict[str, list[Binding]]:
    """The names of the unit that a branch binds."""
    inside = {id(node) for node in walk(block)}
    found: dict[str, list[Binding]] = {}
    for name, bindings in unit.scope.bindings.items():
        inner = [b for b in bindings if id(b.node) in inside]
        if inner:
            found[name] = inner
    return found


def _name(
    model: SemanticModel,
    unit: Unit,
    node: cst.If,
    name: str,
    bindings: tuple[list[Binding], list[Binding]],
) -> Iterator[Disagreement]:
    then, other = bindings
    first = then or other
    if not (then and other):
        if _leaves(node.body if other else node.orelse):
            return
        if not _may_be_bound_before(model, unit, node, name):
            what = f"`{name}` is assigned on one side of a test on a tensor only, and read after it"
            yield Disagreement(node.test, what, ((first[0].node, "assigned on one side"),))
            return
    sides = tuple(_side(model, node, name, found) for found in bindings)
    if sides[0] is not None and sides[1] is not None:
        yield from _compare(model, node.test, f"`{name}`", (sides[0], sides[1]))


def _leaves(block: cst.CSTNode | None) -> bool:
    """Whether a branch may end in a jump, so that nothing after it reads the name."""
    jumps = (cst.Return, cst.Raise, cst.Break, cst.Continue)
    return block is not None and any(isinstance(n, jumps) for n in walk(block, into_scopes=False))


def _may_be_bound_before(model: SemanticModel, unit: Unit, node: cst.If, name: str) -> bool:
    """Whether anything but the `if` itself may bind the name before it, or a turn earlier."""
    inside = {id(inner) for inner in walk(node)}
    outer = [b for b in unit.scope.bindings[name] if id(b.node) not in inside]
    if any(b.kind is BindingKind.PARAMETER for b in outer):
        return True
    if outer and (model.loops.around(node, unit) or isinstance(model.parent(node), cst.If)):
        return True
    start = model.span(node).start
    return any(model.span(b.node).start < start for b in outer)


def _side(model: SemanticModel, node: cst.If, name: str, bindings: list[Binding]) -> _Side | None:
    """What the name is after one branch: its one plain assignment there, or the one before."""
    if len(bindings) > 1:
        return None
    if bindings:
        binding: Binding | None = bindings[0]
        if binding is not None and not _is_direct(model, node, binding):
            return None
    else:
        read = next((n for n in walk(node) if isinstance(n, cst.Name) and n.value == name), None)
        binding = model.flow.reached_at(read, node).only if read is not None else None
    if binding is None or binding.value is None or binding.kind is BindingKind.AUGMENTED:
        return None
    return _Side(binding.node, binding.value)


def _is_direct(model: SemanticModel, node: cst.If, binding: Binding) -> bool:
    """Whether an assignment stands in a branch itself, not in a further `if` or loop."""
    for parent in model.ancestors(binding.node):
        if parent is node or (isinstance(parent, cst.Else) and model.parent(parent) is node):
            return True
        if isinstance(parent, cst.BaseCompoundStatement):
            return False
    return False


# Two sides


def _compare(
    model: SemanticModel, test: cst.CSTNode, subject: str, sides: tuple[_Side, _Side]
) -> Iterator[Disagreement]:
    first, second = sides
    remarks = ((first.node, "on one side"), (second.node, "on the other"))
    if _is_none(first.value) != _is_none(second.value):
        given = second.value if _is_none(first.value) else first.value
        if given is not None and is_symbolic(model, given):
            what = f"{subject} is None on one side of a test on a tensor, and a tensor on the other"
            yield Disagreement(test, what, remarks)
        return
    if first.value is None or second.value is None:
        return
    one, other = dtype_of(model, first.value), dtype_of(model, second.value)
    if one is not None and other is not None and differ(one, other):
        shown = [words(model.value(v), d) for v, d in ((first.value, one), (second.value, other))]
        what = f"{subject} is {shown[0]} on one side of a test on a tensor, {shown[1]} on the other"
        yield Disagreement(test, what, remarks, _number(first.value, second.value, one, other))
        return
    shapes = [_written(model, first.value), _written(model, second.value)]
    if None not in shapes and shapes[0] != shapes[1]:
        what = (
            f"{subject} is {shapes[0]} on one side of a test on a tensor, {shapes[1]} on the other"
        )
        yield Disagreement(test, what, remarks)
        return
    lengths = [_length(first.value), _length(second.value)]
    if None not in lengths and lengths[0] != lengths[1]:
        what = f"{subject} has {lengths[0]} members on one side of a test on a tensor, "
        yield Disagreement(test, what + f"{lengths[1]} on the other", remarks)


def _is_none(node: cst.BaseExpression | None) -> bool:
    return node is None or (isinstance(node, cst.Name) and node.value == "None")


def _written(model: SemanticModel, node: cst.BaseExpression) -> str | None:
    """Whether a tuple, a list or a single tensor is written out."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return "a tuple" if isinstance(node, cst.Tuple) else "a list"
    return "one tensor" if is_one_tensor(model, node) else None


def _length(node: cst.BaseExpression) -> int | None:
    """The number of members of a tuple or list that is written out."""
    if not isinstance(node, (cst.Tuple, cst.List)):
        return None
    if any(isinstance(element, cst.StarredElement) for element in node.elements):
        return None
    return len(node.elements)


def _number(
    first: cst.BaseExpression, second: cst.BaseExpression, one: str, other: str
) -> cst.BaseExpression | None:
    """The whole number, written out, that stands beside a tensor of float32."""
    for node, dtype in ((first, other), (second, one)):
        if isinstance(node, cst.Integer) and dtype == "float32":
            return node
    return None
