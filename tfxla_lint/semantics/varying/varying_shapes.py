"""Arguments whose shape changes from turn to turn of a loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path, members
from tfxla_lint.semantics.frequency import FEW_TURNS
from tfxla_lint.semantics.kinds.indexing import is_new_axis
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import is_none, walk
from tfxla_lint.semantics.turns import is_rare
from tfxla_lint.semantics.values import Kind, Value
from tfxla_lint.semantics.varying.generator_specs import generator_spec, open_dimension
from tfxla_lint.semantics.varying.growing import gathered, growth, joined_axis
from tfxla_lint.semantics.varying.python_arguments import varies

_PASSING = behaviour.names(Trait.PASSES_MEMBERS)
#: Functions that make an array of a given shape, with the name and position of that argument.
_MAKING = {**behaviour.places("shape"), **behaviour.places("length")}
#: Those of them that count from there to another number, where that is given.
_ENDS = behaviour.places("end")
#: Functions that make an array of their first argument, and keep its length.
_KEEPING = (
    behaviour.keeping_shape()
    | behaviour.names(Trait.KEEPS_LENGTH)
    | behaviour.names(Trait.WRAPS)
    | behaviour.names(Trait.JOINS)
)


#: Those of them that put arrays one behind the other.
_JOINING = behaviour.names(Trait.JOINS)
#: Those of them that turn a list into an array with one more dimension in front.
_WRAPPING = behaviour.names(Trait.WRAPS)
#: Those that keep the shape of an array.
_SAME = behaviour.keeping_shape()


@dataclass(frozen=True, slots=True)
class VaryingShape:
    """Why a shape changes with the turns of `loop`: `node` does it, `reason` names it.

    `dimension` is the one that varies (negative: from the end), None where that can't be told;
    `size` is the Python number that it follows, and `sliced` what it cuts; `shapes` is the number
    of shapes, where only the data decide it. `is_structure` says that it is the length of a list,
    so that it is the structure of the argument that changes.
    """

    loop: Loop
    node: cst.CSTNode
    reason: str
    dimension: int | None = None
    size: cst.BaseExpression | None = None
    sliced: cst.BaseExpression | None = None
    shapes: int | None = None
    is_structure: bool = False


def varying_shape(
    model: Answers, node: cst.BaseExpression, loops: Sequence[Loop]
) -> VaryingShape | None:
    """Why an expression surely has another shape on many turns of one of `loops`, or None."""
    return _Varying(model, loops).of(node)


class _Varying:
    """The question for some loops, and then for those around the call that hands a value over."""

    def __init__(self, model: Answers, loops: Sequence[Loop]) -> None:
        self._model = model
        self._inner = loops
        self._origins = Origins(model.flow, Through(), self._judge)
        self.of = self._origins.of

    @property
    def _loops(self) -> Sequence[Loop]:
        edge = self._origins.call
        return _certain_around(self._model, edge) if edge is not None else self._inner

    def _judge(self, node: cst.CSTNode, path: Path) -> VaryingShape | Look | None:
        if isinstance(node, cst.For):
            return _of_target(self._model, node, path, self._loops)
        if path:
            return THROUGH
        if isinstance(node, cst.Param):
            return self._of_parameter(node)
        if isinstance(node, cst.Name):
            return self._of_name(node)
        if isinstance(node, cst.Subscript):
            return _of_slice(self._model, node, self._loops) or self._of_part(node)
        if isinstance(node, cst.Call):
            return self._of_call(node)
        if isinstance(node, cst.BinaryOperation):
            is_list = self._model.value(node).kind is Kind.LIST
            return (self._joined if is_list else self._origins.any)([node.left, node.right])
        return THROUGH

    def _of_name(self, node: cst.Name) -> VaryingShape | Look | None:
        model = self._model
        if model.value(node).is_python_scalar:
            return None
        is_list = model.value(node).kind is Kind.LIST
        for loop in reversed(self._loops):
            grown = growth(model, node, loop)
            if grown is not None:
                axis = 0 if is_list else joined_axis(model, grown)
                return VaryingShape(loop, grown, "grows on every turn", axis, is_structure=is_list)
            filled = gathered(model, node, loop) if is_list else None
            if filled is not None:
                reason = "is filled anew on every turn, until a flag ends the inner loop"
                return VaryingShape(loop, filled, reason, 0, is_structure=True)
        return THROUGH

    def _of_parameter(self, node: cst.Param) -> VaryingShape | None:
        """What a caller passes from a loop of its own."""
        model = self._model
        for edge in model.calls.untraced(model.unit(node)):
            loops = _certain_around(model, edge)
            if not any(is_rare(model, edge.node, loop) for loop in loops):
                found = self._origins.handed(edge, edge.argument(node.name.value))
                if found is not None:
                    return found
        return None

    def _of_part(self, node: cst.Subscript) -> VaryingShape | None:
        """`x[None]`, `x[:, None]`, `x[tf.newaxis]` keep what varies of `x`."""
        leading = 0
        for index, element in enumerate(node.slice):
            part = element.slice
            if isinstance(part, cst.Slice):
                if part.lower is not None or part.upper is not None:
                    return None
            elif not is_new_axis(part):
                return None
            elif leading == index:
                leading += 1
        plain = len(node.slice) == leading
        return _shifted(self.of(node.value), leading if plain else None)

    def _of_call(self, node: cst.Call) -> VaryingShape | None:
        name = self._model.names.one(node.func) or ""
        end = argument(node, *_ENDS[name]) if name in _ENDS else None
        if end is not None:
            return _of_range(self._model, node, argument(node, *_MAKING[name]), end, self._loops)
        if name in _MAKING:
            return _of_making(self._model, node, argument(node, *_MAKING[name]), self._loops)
        if name not in _KEEPING or not node.args or node.args[0].star:
            return None
        first = node.args[0].value
        if isinstance(first, (cst.List, cst.Tuple)):
            parts = [element.value for element in first.elements]
            found = (self._joined if name in _JOINING else self._origins.any)(parts)
            return _shifted(found, 1 if name in _WRAPPING else None)
        found = self.of(first)
        if found is None:
            return None
        if name in _WRAPPING and found.is_structure:
            return _shifted(found, 0 if len(node.args) <= 2 else None)
        return _shifted(found, 0 if name in _SAME else None)

    def _joined(self, parts: Sequence[cst.BaseExpression]) -> VaryingShape | None:
        """What varies of parts that stand one behind the other: none where another part may make up for it."""
        found = [(part, why) for part in parts if (why := self.of(part)) is not None]
        if len(found) != 1:
            return None
        varied, why = found[0]
        others = (part for part in parts if part is not varied)
        return None if any(self._moves(other, why.loop) for other in others) else why

    def _moves(self, node: cst.BaseExpression, loop: Loop) -> bool:
        """Whether an expression reads what a loop binds."""
        model = self._model
        reads = (n for n in walk(node) if isinstance(n, cst.Name))
        bindings = (b for read in reads for b in model.flow.reached(read).bindings)
        return any(b.node is loop or loop in model.ancestors(b.node) for b in bindings)


def _certain_around(model: Answers, edge: Edge) -> list[Loop]:
    """The loops around a call that surely turn."""
    around = model.loops.hot_around(edge.node, edge.caller)
    return [loop for loop in around if model.loops.info(loop).is_certain]


def _of_target(
    model: Answers, loop: cst.For, path: Path, loops: Sequence[Loop]
) -> VaryingShape | None:
    """The target of a loop over literal lists of several lengths, or over padded batches."""
    if loop not in loops:
        return None
    value = model.value(_passed_on(model, loop.iter))
    if value.kind is Kind.DATASET:
        return _of_padding(model, value, loop) or _of_generator(model, loop, path)
    lengths = {_length(element) for element in value.elements or ()}
    if value.kind in (Kind.LIST, Kind.TUPLE) and None not in lengths and len(lengths) > FEW_TURNS:
        reason = "takes members of several lengths"
        return VaryingShape(loop, loop.iter, reason, 0, shapes=len(lengths))
    return None


def _of_generator(model: Answers, loop: cst.For, path: Path) -> VaryingShape | None:
    """Elements of a generator that declares a dimension as None, one at a time."""
    spec = generator_spec(model, loop.iter)
    if spec is not None and isinstance(spec, (cst.Tuple, cst.List)):
        members_at = members(spec, path[1:]) if len(path) == 2 else None
        spec = members_at[0] if members_at else None
    dimension = open_dimension(model, spec) if spec is not None else None
    if dimension is None:
        return None
    reason = "has a size of its own in each element that the generator yields"
    return VaryingShape(loop, spec or loop.iter, reason, dimension)


def _length(value: Value) -> int | None:
    if value.kind in (Kind.LIST, Kind.TUPLE) and value.elements is not None:
        return len(value.elements)
    if value.shape and type(value.shape[0]) is int:
        return int(value.shape[0])
    return None


def _of_padding(model: Answers, value: Value, loop: cst.For) -> VaryingShape | None:
    """`padded_batch` without shapes pads each batch to its own longest member."""
    batch = value.pipeline.batch if value.pipeline is not None else None
    if batch is None or not isinstance(batch.func, cst.Attribute):
        return None
    if batch.func.attr.value != "padded_batch" or any(a.star for a in batch.args):
        return None
    shapes = argument(batch, "padded_shapes", 1)
    if shapes is not None and not any(_is_open(model, node) for node in walk(shapes)):
        return None
    return VaryingShape(loop, batch, "pads each batch to its own longest member")


def _is_open(model: Answers, node: cst.CSTNode) -> bool:
    """Whether part of `padded_shapes` asks for the longest member: `None` or `-1`."""
    if isinstance(node, cst.UnaryOperation):
        return bool(model.value(node).constant == -1)
    return is_none(node)


def _passed_on(model: Answers, node: cst.BaseExpression) -> cst.BaseExpression:
    """What `enumerate(x)` and its like range over."""
    if isinstance(node, cst.Call) and node.args and model.names.of(node.func) & _PASSING:
        return node.args[0].value
    return node


def _of_slice(model: Answers, node: cst.Subscript, loops: Sequence[Loop]) -> VaryingShape | None:
    """`x[:i]` or `x[:, i:]`, where one end moves with the loop and the other stays."""
    dimension: int | None = 0
    for element in node.slice:
        part = element.slice
        if isinstance(part, cst.Slice):
            size = _moving_end(model, part)
            loop = model.value(size).loop if size is not None else None
            if isinstance(loop, (cst.For, cst.While)) and loop in loops:
                reason = "takes a slice of another length on every turn"
                cut = node.value if dimension == 0 else None
                return VaryingShape(loop, node, reason, dimension, size, cut)
        if not isinstance(part, cst.Slice) and not is_new_axis(part):
            is_number = isinstance(part, cst.Index) and model.value(part.value).kind is Kind.INT
            dimension = dimension if is_number else None
        elif dimension is not None:
            dimension += 1
    return None


def _moving_end(model: Answers, part: cst.Slice) -> cst.BaseExpression | None:
    return _moving_bound(model, part.lower, part.upper) if part.step is None else None


def _moving_bound(
    model: Answers, lower: cst.BaseExpression | None, upper: cst.BaseExpression | None
) -> cst.BaseExpression | None:
    """The one of two bounds that moves where the other is a constant, or is not given."""
    moving = [b for b in (lower, upper) if b is not None and varies(model, b)]
    if len(moving) != 1:
        return None
    other = upper if moving[0] is lower else lower
    return moving[0] if other is None or model.value(other).has_constant else None


def _shifted(found: VaryingShape | None, by: int | None) -> VaryingShape | None:
    """What varies, after `by` new leading dimensions (None: in an unknown one)."""
    if found is None:
        return None
    dimension = found.dimension
    if by is None or dimension is None:
        return replace(found, dimension=None, is_structure=False)
    dimension = dimension + by if dimension >= 0 else dimension
    return replace(found, dimension=dimension, is_structure=False)


def _of_range(
    model: Answers,
    node: cst.Call,
    start: cst.BaseExpression | None,
    end: cst.BaseExpression,
    loops: Sequence[Loop],
) -> VaryingShape | None:
    """`np.arange(1, n)`: from a constant to what moves with the loop, or the other way round."""
    size = _moving_bound(model, start, end)
    loop = model.value(size).loop if size is not None else None
    if size is None or not isinstance(loop, (cst.For, cst.While)) or loop not in loops:
        return None
    return VaryingShape(loop, node, "makes an array of another size on every turn", 0, size)


def _of_making(
    model: Answers, node: cst.Call, given: cst.BaseExpression | None, loops: Sequence[Loop]
) -> VaryingShape | None:
    is_listed = isinstance(given, (cst.List, cst.Tuple))
    members = [given] if given is not None else []
    if isinstance(given, (cst.List, cst.Tuple)):
        members = [element.value for element in given.elements]
    for position, member in enumerate(members):
        loop = model.value(member).loop
        if isinstance(loop, (cst.For, cst.While)) and loop in loops and varies(model, member):
            reason = "makes an array of another size on every turn"
            dimension = position if is_listed or len(node.args) == 1 else None
            return VaryingShape(loop, node, reason, dimension, member)
    return None
