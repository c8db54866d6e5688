"""Tensors that eager code takes apart element by element, mostly to read them as Python values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, range_turns

from ..shared.bound_in import is_bound_in
from ..shared.many_rows import are_many, most_rows
from ..shared.outputs import may_be_outputs

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Turning: TypeAlias = "cst.For | cst.CompFor"
_CONVERSIONS = behaviour.names(Trait.CONVERTS)
#: Builtins that go through what they are given at once, member by member.
_TAKING = (
    behaviour.names(Trait.GOES_THROUGH)
    | (behaviour.names(Trait.COMPARES) & behaviour.names(Trait.PURE))
) - (behaviour.names(Trait.LAZY) | behaviour.names(Trait.UNHASHABLE))
_EXTENDING = behaviour.methods(Trait.GOES_THROUGH, "list")
_MAP = "builtins.map"
#: What a Python list or text is given by, and needs the value of.
_INDEXED = (Kind.LIST, Kind.TUPLE, Kind.STRING)


@dataclass(frozen=True, slots=True)
class Read:
    """`node` needs the value of `of`, which is the name of an element or an element of that; where
    it is `handed`, in a function that is called there."""

    node: cst.BaseExpression
    of: cst.BaseExpression
    is_handed: bool = False


@dataclass(frozen=True, slots=True)
class ElementReads:
    """The turns of `turning` read `tensors` element by element, at `reads`.

    `is_whole` says that the turns go through the tensors themselves, and not through indices of
    them.
    """

    turning: Turning
    tensors: list[cst.BaseExpression]
    reads: list[Read]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class TakenApart:
    """`call` goes through the elements of `tensor`; `reads` says that it reads their values."""

    call: cst.Call
    tensor: cst.BaseExpression
    reads: bool


def element_reads(model: SemanticModel) -> Iterator[ElementReads]:
    """Those of code that only runs eagerly, of tensors with many elements."""
    every: list[Turning] = [*model.nodes(cst.For), *model.nodes(cst.CompFor)]
    for turning in every:
        if not model.contexts.is_only_eager(model.unit(turning)):
            continue
        if _is_shown_once(model, turning):
            continue
        if isinstance(turning, cst.For) and _takes_longer(model, turning):
            continue
        found = _of_members(model, turning) or _of_indices(model, turning)
        if found is not None:
            yield found


def _is_shown_once(model: SemanticModel, turning: Turning) -> bool:
    """Whether the turns of an outer loop reach this one a few times only, to show some of many."""
    outer = model.loops.around(turning, model.unit(turning))
    return any(model.loops.often(turning, loop) <= Often.FEW for loop in outer)


def _takes_longer(model: SemanticModel, loop: cst.For) -> bool:
    """Whether each turn waits, or writes a file: a read beside that takes no time."""
    return model.loops.info(loop).over == "wait" or model.loops.writes(loop)


def taken_apart(model: SemanticModel) -> Iterator[TakenApart]:
    """`list(indices)`, `map(int, indices)`, `max(scores)`, likewise."""
    for call in model.nodes(cst.Call):
        names = model.names.of(call.func)
        if not (names & _TAKING or _MAP in names or _extends(model, call)):
            continue
        given = [a.value for a in call.args if a.keyword is None and not a.star]
        reads = bool(names & behaviour.names(Trait.COMPARES))
        if _MAP in names and len(given) == 2 and model.names.of(given[0]) & _CONVERSIONS:
            given, reads = given[1:], True
        elif _MAP in names or len(given) != len(call.args):
            continue
        if len(given) == 1 and _is_tensor(model, given[0]):
            if model.contexts.is_only_eager(model.unit(call)):
                if are_many(model, call, most_rows(model, given[0], given[0])):
                    yield TakenApart(call, given[0], reads)


def _extends(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a list takes in the members of what the call is given: `scores.extend(batch)`."""
    function = model.value(call.func)
    receiver = function.receiver if function.kind is Kind.METHOD else None
    return receiver is not None and receiver.kind is Kind.LIST and function.name in _EXTENDING


def turned(model: SemanticModel, turning: Turning) -> list[cst.CSTNode]:
    """What runs on each turn."""
    if isinstance(turning, cst.For):
        return [turning.body]
    comprehension = next(a for a in model.ancestors(turning) if isinstance(a, cst.BaseComp))
    inner = [turning.inner_for_in] if turning.inner_for_in is not None else []
    if isinstance(comprehension, cst.DictComp):
        return [comprehension.key, comprehension.value, *turning.ifs, *inner]
    assert isinstance(comprehension, cst.BaseSimpleComp)
    return [comprehension.elt, *turning.ifs, *inner]


def element_of(node: cst.BaseExpression) -> cst.BaseExpression:
    """What an element is taken of, through any number of indices."""
    while isinstance(node, cst.Subscript):
        if not all(isinstance(e.slice, cst.Index) for e in node.slice):
            break
        node = node.value
    return node


def _of_members(model: SemanticModel, turning: Turning) -> ElementReads | None:
    """`for i in indices: int(i)`, `[float(x) for x in losses]`, `for a, b in zip(x, y): if a == b`."""
    given = {
        name: tensor
        for tensor, names in _members(model, turning.iter, turning.target)
        if _is_tensor(model, tensor)
        and are_many(model, turning, most_rows(model, tensor, turning.iter))
        for name in names
    }
    if not given:
        return None
    reads: list[Read] = []
    tensors: dict[int, cst.BaseExpression] = {}
    for root in turned(model, turning):
        for read in _reads(model, root):
            name = element_of(read.of)
            if isinstance(name, cst.Name) and name.value in given:
                if _is_target(model, name, turning) and _is_often(model, read.node, turning):
                    reads.append(read)
                    tensors[id(given[name.value])] = given[name.value]
    return ElementReads(turning, list(tensors.values()), reads, True) if reads else None


def _members(
    model: SemanticModel, source: cst.BaseExpression, target: cst.BaseAssignTargetExpression
) -> Iterator[tuple[cst.BaseExpression, list[str]]]:
    """What is gone through, with the names by which each turn gets a member of it."""
    if isinstance(source, cst.Call) and isinstance(target, (cst.Tuple, cst.List)):
        names = model.names.of(source.func)
        targets = [element.value for element in target.elements]
        given = [a.value for a in source.args if a.keyword is None and not a.star]
        is_numbered = "builtins.enumerate" in names and len(targets) == 2 and bool(given)
        if is_numbered or ("builtins.zip" in names and len(given) == len(targets)):
            pairs = [(given[0], targets[1])] if is_numbered else zip(given, targets, strict=True)
            for inner, part in pairs:
                if isinstance(part, (cst.Name, cst.Tuple, cst.List)):
                    yield from _members(model, inner, part)
            return
    yield source, target_names(target)


def _of_indices(model: SemanticModel, turning: Turning) -> ElementReads | None:
    """`for i in range(n): float(table[i, j])`, where no turn makes the tensor."""
    index = _index(model, turning)
    if index is None:
        return None
    found: dict[str, list[Read]] = {}
    tensors: dict[str, cst.BaseExpression] = {}
    for root in turned(model, turning):
        for read in _reads(model, root):
            tensor = _indexed_by(read.of, index)
            if tensor is None or not are_many(model, turning, _turns(model, turning)):
                continue
            if not _is_tensor(model, tensor) or is_made_in(model, tensor, turning):
                continue
            if not _is_often(model, read.node, turning):
                continue
            text = model.code(tensor)
            found.setdefault(text, []).append(read)
            tensors.setdefault(text, tensor)
    for text, reads in found.items():
        return ElementReads(turning, [tensors[text]], reads, False)
    return None


def _index(model: SemanticModel, turning: Turning) -> str | None:
    """The name of the number that each turn is given: of a range, or by `enumerate`."""
    target: cst.BaseExpression = turning.target
    if isinstance(target, cst.Tuple) and isinstance(turning.iter, cst.Call):
        is_numbered = "builtins.enumerate" in model.names.of(turning.iter.func)
        target = target.elements[0].value if is_numbered and target.elements else target
    elif model.value(turning.iter).kind is not Kind.RANGE:
        return None
    return target.value if isinstance(target, cst.Name) else None


def _is_tensor(model: SemanticModel, node: cst.BaseExpression) -> bool:
    value = model.value(node)
    is_one = value.kind is Kind.TENSOR and value.is_tensor and not value.choices
    return is_one and not may_be_outputs(model, node)


def _reads(model: SemanticModel, root: cst.CSTNode) -> Iterator[Read]:
    """`int(x)`, `x.numpy()`, `if x > y`, `labels[x]`, in the code of one function."""
    for node in walk(root, into_scopes=False):
        if isinstance(node, cst.Call):
            given = _converted(model, node)
            if given is not None:
                yield Read(node, given)
            yield from _reads_in_callee(model, node)
        elif isinstance(node, (cst.If, cst.IfExp, cst.While, cst.CompIf)):
            for part in judged(node.test):
                yield from (Read(part, asked) for asked in _compared(part))
        elif isinstance(node, cst.Subscript) and model.value(node.value).kind in _INDEXED:
            place = node.slice[0].slice
            if isinstance(place, cst.Index):
                yield Read(node, place.value)


def _reads_in_callee(model: SemanticModel, call: cst.Call) -> Iterator[Read]:
    """What a function of the project, called here, reads the value of on each of its runs."""
    edges = model.calls.at(call)
    edge = edges[0] if len(edges) == 1 else None
    if edge is None or edge.tracing is not None or edge.callee.tracing is not None:
        return
    for argument in call.args:
        parameter = edge.parameter(argument)
        if parameter is not None and _is_read(model, edge.callee, parameter.name):
            yield Read(call, argument.value, True)


def _is_read(model: SemanticModel, unit: Unit, name: str) -> bool:
    if len(unit.scope.bindings.get(name, ())) != 1:
        return False
    reads = ((node, _converted(model, node)) for node in unit.own(cst.Call))
    return any(
        isinstance(given, cst.Name) and given.value == name
        for node, given in reads
        if model.loops.often(node, unit.node) is Often.ALWAYS
    )


def _compared(test: cst.BaseExpression) -> list[cst.BaseExpression]:
    """What a test asks for its value, itself or in a comparison with something else."""
    if not isinstance(test, cst.Comparison):
        return [test]
    if any(
        isinstance(c.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn)) for c in test.comparisons
    ):
        return []
    return [test.left, *(compared.comparator for compared in test.comparisons)]


def _converted(model: SemanticModel, call: cst.Call) -> cst.BaseExpression | None:
    """What a call makes a Python or NumPy value of."""
    if isinstance(call.func, cst.Attribute):
        is_read = call.func.attr.value == "numpy" and not call.args
        return call.func.value if is_read else None
    is_plain = len(call.args) == 1 and call.args[0].keyword is None and not call.args[0].star
    is_made = is_plain and bool(model.names.of(call.func) & _CONVERSIONS)
    return call.args[0].value if is_made else None


def _indexed_by(node: cst.BaseExpression, index: str) -> cst.Name | None:
    """The name of a tensor of which the innermost element is taken, by an index of this name."""
    tensor = element_of(node)
    if not isinstance(tensor, cst.Name):
        return None
    while isinstance(node, cst.Subscript):
        for part in node.slice:
            place = part.slice.value if isinstance(part.slice, cst.Index) else None
            if isinstance(place, cst.Name) and place.value == index:
                return tensor
        node = node.value
    return None


def is_made_in(model: SemanticModel, tensor: cst.BaseExpression, turning: cst.CSTNode) -> bool:
    """Whether a turn may bind the tensor anew, or a statement itself binds what is read."""
    if isinstance(turning, cst.CompFor):
        return False
    assert isinstance(tensor, cst.Name)
    return is_bound_in(model, tensor, turning)


def _is_target(model: SemanticModel, read: cst.Name, turning: Turning) -> bool:
    """Whether a name is what the turn was given, and nothing bound it since."""
    if not isinstance(turning, cst.For):
        return True
    made = model.flow.reached(read).only
    return made is not None and any(made.node is node for node in walk(turning.target))


def _is_often(model: SemanticModel, read: cst.CSTNode, turning: Turning) -> bool:
    """Whether all turns read, or those that a test of nothing known picks."""
    if not isinstance(turning, cst.For):
        return True
    return model.loops.often(read, turning) >= Often.PERHAPS


def _turns(model: SemanticModel, turning: Turning) -> int | None:
    if model.value(turning.iter).kind is not Kind.RANGE:
        return model.loops.most_members(turning.iter)
    if isinstance(turning, cst.For):
        return model.loops.info(turning).turns
    return range_turns(model.value(turning.iter))
