"""Tensors of which eager code reads one element after the other as Python values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.reaching import Reached
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Turning: TypeAlias = "cst.For | cst.CompFor"
#: So many reads are worth one of the whole: in a place that runs once, and in one that a loop runs
#: (there also where nobody knows how many they are).
_MANY, _MANY_IN_LOOP = 64, 8
_CONVERSIONS = behaviour.names(Trait.CONVERTS)
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef, cst.Module)


@dataclass(frozen=True, slots=True)
class ElementReads:
    """The turns of `turning` read `tensor` element by element, at `reads`.

    `is_whole` says that the turns go through the tensor itself, and not through indices of it.
    """

    turning: Turning
    tensor: cst.BaseExpression
    reads: list[cst.Call]
    is_whole: bool


def element_reads(model: SemanticModel) -> Iterator[ElementReads]:
    """Those of code that only runs eagerly, of a tensor with many elements."""
    every: list[Turning] = [*model.nodes(cst.For), *model.nodes(cst.CompFor)]
    for turning in every:
        if not model.contexts.is_only_eager(model.unit(turning)):
            continue
        found = _of_members(model, turning) or _of_indices(model, turning)
        if found is not None:
            yield found


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


def _of_members(model: SemanticModel, turning: Turning) -> ElementReads | None:
    """`for i in indices: int(i)`, `[float(x) for x in losses]`."""
    tensor, target = turning.iter, turning.target
    if not isinstance(target, cst.Name) or not _is_tensor(model, tensor):
        return None
    shape = model.value(tensor).shape
    if not shape or not _is_enough(model, turning, shape[0]):
        return None
    reads = [
        call
        for root in turned(model, turning)
        for call in _reads(model, root)
        if isinstance(read := _read_by(call), cst.Name)
        and read.value == target.value
        and _is_target(model, read, turning)
        and _is_often(model, call, turning)
    ]
    return ElementReads(turning, tensor, reads, True) if reads else None


def _of_indices(model: SemanticModel, turning: Turning) -> ElementReads | None:
    """`for i in range(n): float(table[i, j])`, where no turn makes the tensor."""
    if model.value(turning.iter).kind is not Kind.RANGE or not isinstance(turning.target, cst.Name):
        return None
    index = turning.target.value
    found: dict[str, list[cst.Call]] = {}
    tensors: dict[str, cst.BaseExpression] = {}
    for root in turned(model, turning):
        for call in _reads(model, root):
            tensor = _indexed_by(_read_by(call), index)
            if tensor is None or not _is_enough(model, turning, _turns(model, turning)):
                continue
            if not _is_tensor(model, tensor) or _is_made_in(model, tensor, turning):
                continue
            if not _is_often(model, call, turning):
                continue
            text = model.code(tensor)
            found.setdefault(text, []).append(call)
            tensors.setdefault(text, tensor)
    for text, reads in found.items():
        return ElementReads(turning, tensors[text], reads, False)
    return None


def _is_tensor(model: SemanticModel, node: cst.BaseExpression) -> bool:
    value = model.value(node)
    return value.kind is Kind.TENSOR and value.is_tensor and not value.choices


def _reads(model: SemanticModel, root: cst.CSTNode) -> Iterator[cst.Call]:
    """`int(x)`, `float(x)`, `x.numpy()`, in the code of one function."""
    for node in walk(root, into_scopes=False):
        if isinstance(node, cst.Call) and _read_by(node) is not None:
            if isinstance(node.func, cst.Attribute) or model.names.of(node.func) & _CONVERSIONS:
                yield node


def _read_by(call: cst.Call) -> cst.BaseExpression | None:
    """What a call that may read one value is given."""
    if isinstance(call.func, cst.Attribute):
        is_read = call.func.attr.value == "numpy" and not call.args
        return call.func.value if is_read else None
    is_plain = len(call.args) == 1 and call.args[0].keyword is None and not call.args[0].star
    return call.args[0].value if is_plain else None


def _indexed_by(node: cst.BaseExpression | None, index: str) -> cst.Name | None:
    """The name of a tensor of which the innermost element is taken, by an index of this name."""
    is_used = False
    while isinstance(node, cst.Subscript):
        places = [e.slice for e in node.slice]
        if not all(isinstance(place, cst.Index) for place in places):
            return None
        is_used = is_used or any(
            isinstance(place, cst.Index)
            and isinstance(place.value, cst.Name)
            and place.value.value == index
            for place in places
        )
        node = node.value
    return node if is_used and isinstance(node, cst.Name) else None


def _is_made_in(model: SemanticModel, tensor: cst.BaseExpression, turning: Turning) -> bool:
    """Whether a turn may bind the tensor anew."""
    if not isinstance(turning, cst.For):
        return False
    assert isinstance(tensor, cst.Name)
    inside = {id(node) for node in walk(turning)}
    reached: Reached = model.flow.reached(tensor)
    return any(id(binding.node) in inside for binding in reached.bindings)


def _is_target(model: SemanticModel, read: cst.Name, turning: Turning) -> bool:
    """Whether a name is what the turn was given, and nothing bound it since."""
    if not isinstance(turning, cst.For):
        return True
    made = model.flow.reached(read).only
    return made is not None and made.node is turning.target


def _is_often(model: SemanticModel, read: cst.Call, turning: Turning) -> bool:
    """Whether all turns read, or those that a test of nothing known picks."""
    if not isinstance(turning, cst.For):
        return True
    return model.loops.often(read, turning) >= Often.PERHAPS


def _turns(model: SemanticModel, turning: Turning) -> int | None:
    if isinstance(turning, cst.For):
        return model.loops.info(turning).turns
    bounds = [value.constant for value in model.value(turning.iter).elements or ()]
    if not bounds or not all(type(bound) is int for bound in bounds):
        return None
    return len(range(*(bound for bound in bounds if type(bound) is int)))


def _is_enough(model: SemanticModel, turning: Turning, count: object) -> bool:
    """Whether the turns read many elements, in all or each time that a loop runs them."""
    unit = model.unit(turning)
    around = [loop for loop in model.loops.hot_around(turning, unit) if loop is not turning]
    is_hot = any(model.loops.info(loop).is_certain for loop in around)
    is_hot = is_hot or any(
        model.loops.info(loop).is_certain for loop in model.contexts.hot_loops(unit)
    )
    if type(count) is not int:
        return is_hot
    return count >= (_MANY_IN_LOOP if is_hot else _MANY)
