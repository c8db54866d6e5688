"""Names that a loop of the graph carries, and that do not stay what they were."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

from ..shared.branch_tests import LoopForm, loop_form
from .dtypes import differ, dtype_of, words

_CONCAT = "tensorflow.concat"
_OPTIONS = ".set_loop_options"


@dataclass(frozen=True, slots=True)
class Change:
    """A name that a loop changes in kind: `start` is what it is before, `node` what changes it.

    `shape` is the shape that holds on every turn, where one is known; `number` a Python number
    that begins what becomes a tensor of float32.
    """

    name: str
    loop: cst.For | cst.While
    node: cst.CSTNode
    start: cst.CSTNode
    what: str
    shape: tuple[int | None, ...] | None = None
    number: cst.BaseExpression | None = None


def changes(model: SemanticModel, unit: Unit) -> Iterator[Change]:
    """The names that the loops of a traced and converted unit cannot carry."""
    for loop in unit.own(cst.For, cst.While):
        if loop_form(model, loop) is LoopForm.GRAPH:
            if not _has_options(model, loop):
                yield from _of_loop(model, unit, loop)


def _has_options(model: SemanticModel, loop: cst.For | cst.While) -> bool:
    """Whether the loop says itself how its names change."""
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Call) and (model.names.one(node.func) or "").endswith(_OPTIONS):
            return True
    return False


def _of_loop(model: SemanticModel, unit: Unit, loop: cst.For | cst.While) -> Iterator[Change]:
    inside = {id(node) for node in walk(loop.body)}
    liveness = model.flow.liveness(unit.scope)
    after = liveness.after_converted(loop)
    carried = liveness.before(loop.body.body, after)
    for name, bindings in unit.scope.bindings.items():
        inner = [b for b in bindings if id(b.node) in inside]
        if not inner:
            continue
        start = model.flow.reached_at(_named(loop, name), loop).only
        if start is not None and start.value is not None and name in carried | after:
            yield from _changed(model, loop, name, start, inner)
        elif len(inner) == len(bindings) and name in after and _is_dataset(model, loop):
            what = f"`{name}` is not defined before a loop over a dataset, and is read after it"
            yield Change(name, loop, inner[0].node, inner[0].node, what)


def _named(loop: cst.For | cst.While, name: str) -> cst.Name:
    return next(n for n in walk(loop) if isinstance(n, cst.Name) and n.value == name)


def _is_dataset(model: SemanticModel, loop: cst.For | cst.While) -> bool:
    return isinstance(loop, cst.For) and model.value(loop.iter).kind is Kind.DATASET


def _changed(
    model: SemanticModel,
    loop: cst.For | cst.While,
    name: str,
    start: Binding,
    inner: list[Binding],
) -> Iterator[Change]:
    assert start.value is not None
    for binding in inner:
        holder = model.parent(binding.node)
        if isinstance(holder, cst.AugAssign):
            yield from _augmented(model, loop, name, start, holder)
            return
        if binding.kind is not BindingKind.ASSIGNMENT or binding.value is None:
            return
        grown = grown_shape(model, start.value, name, binding.value)
        if grown is not None:
            what = f"`{name}` grows from turn to turn of a loop in the graph"
            yield Change(name, loop, binding.value, start.node, what, grown)
            return
        if len(inner) == 1 and _is_sure(model, loop, binding):
            yield from _retyped(model, loop, name, start, binding.value)


def _is_sure(model: SemanticModel, loop: cst.For | cst.While, binding: Binding) -> bool:
    """Whether a turn ends with what the binding gives: it stands in the body itself."""
    holders = (a for a in model.ancestors(binding.node) if isinstance(a, cst.BaseCompoundStatement))
    return next(holders, None) is loop


def _augmented(
    model: SemanticModel,
    loop: cst.For | cst.While,
    name: str,
    start: Binding,
    node: cst.AugAssign,
) -> Iterator[Change]:
    """`total += loss`, where `total` begins as another type of number."""
    assert start.value is not None
    before = model.value(start.value)
    if before.kind not in (Kind.INT, Kind.FLOAT, Kind.BOOL):
        return
    if not is_symbolic(model, node.value) and model.value(node.value).kind is not Kind.FLOAT:
        return
    first, second = dtype_of(model, start.value), dtype_of(model, node.value)
    if first is None or second is None or not differ(first, second):
        return
    what = f"`{name}` begins as {words(before, first)}, and a loop in the graph adds {second} to it"
    number = start.value if isinstance(start.value, cst.Integer) and second == "float32" else None
    yield Change(name, loop, node, start.node, what, None, number)


def _retyped(
    model: SemanticModel,
    loop: cst.For | cst.While,
    name: str,
    start: Binding,
    value: cst.BaseExpression,
) -> Iterator[Change]:
    assert start.value is not None
    first = dtype_of(model, start.value)
    second = _assigned_dtype(model, name, value) or _quotient(name, first, value)
    if first is None or second is None or not differ(first, second):
        return
    shown = words(model.value(start.value), first)
    what = f"`{name}` is {shown} before a loop in the graph, and {second} after a turn"
    is_zero = isinstance(start.value, cst.Integer) and second == "float32"
    yield Change(name, loop, value, start.node, what, None, start.value if is_zero else None)


def _quotient(name: str, start: str | None, value: cst.BaseExpression) -> str | None:
    """`/` makes float64 of the integers of TensorFlow, whatever it divides them by."""
    if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Divide):
        return None
    is_own = isinstance(value.left, cst.Name) and value.left.value == name
    by_number = isinstance(value.right, cst.Integer)
    return "float64" if is_own and by_number and start in ("int32", "int64") else None


def _assigned_dtype(model: SemanticModel, name: str, value: cst.BaseExpression) -> str | None:
    """The dtype that a turn assigns; of a sum with the carried name itself, the other side's."""
    if isinstance(value, cst.BinaryOperation):
        if isinstance(value.operator, cst.Divide):
            return None
        if isinstance(value.left, cst.Name) and value.left.value == name:
            if isinstance(value.right, cst.Float):
                return "float32"
        sides = [dtype_of(model, side) for side in (value.left, value.right)]
        is_tensor = [is_symbolic(model, side) for side in (value.left, value.right)]
        found = [d for d, sure in zip(sides, is_tensor, strict=True) if sure]
        return found[0] if len(found) == 1 else None
    return dtype_of(model, value) if isinstance(value, cst.Call) else None


def grown_shape(
    model: SemanticModel, start: cst.BaseExpression, name: str, value: cst.BaseExpression
) -> tuple[int | None, ...] | None:
    """The shape that `x = tf.concat([x, ...], axis)` keeps: unknown along the axis."""
    if not isinstance(value, cst.Call) or model.names.one(value.func) != _CONCAT:
        return None
    parts, axis = argument(value, "values", 0), argument(value, "axis", 1)
    if not isinstance(parts, (cst.List, cst.Tuple)) or axis is None or len(parts.elements) < 2:
        return None
    if not any(isinstance(e.value, cst.Name) and e.value.value == name for e in parts.elements):
        return None
    shape, place = model.value(start).shape, model.value(axis).constant
    if not shape or type(place) is not int or not -len(shape) <= place < len(shape):
        return None
    if not all(type(size) is int for size in shape):
        return None
    kept: list[int | None] = list(shape)
    kept[place] = None
    return tuple(kept)
