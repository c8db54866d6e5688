"""TensorArrays in compiled code that are written past the size with which they are made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.call_arguments import arg_node, argument
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.varying.turn_values import values_over

_ARRAY = "tensorflow.TensorArray"


@dataclass(frozen=True, slots=True)
class GrowingArray:
    """A TensorArray that is made with `size` members, and a write that needs more.

    `length` is the expression for the number of members that it gets in the end, where the code
    has one that could have been given from the start.
    """

    call: cst.Call
    size: int
    write: cst.Call
    length: cst.BaseExpression | None = None

    @property
    def size_argument(self) -> cst.Arg | None:
        """The argument that gives the size."""
        return arg_node(self.call, "size", 1)

    @property
    def growing_argument(self) -> cst.Arg | None:
        """The argument that lets it grow."""
        return arg_node(self.call, "dynamic_size", 2)


def growing_arrays(model: SemanticModel, unit: Unit) -> Iterator[GrowingArray]:
    """The arrays of a compiled unit that XLA cuts to the size that they are made with."""
    for call in unit.own(cst.Call):
        if model.names.one(call.func) != _ARRAY:
            continue
        size = _literal_size(model, call)
        if size is None or not _is_true(argument(call, "dynamic_size", 2)):
            continue
        name = _bound_name(model, call)
        writes = _writes(model, unit, name) if name is not None else []
        past = next((w for w in writes if _is_past(model, w, size)), None)
        if past is not None and surely_runs(model, call):
            length = _length(model, unit, call, writes) if size <= 1 else None
            yield GrowingArray(call, size, past, length)


def _literal_size(model: SemanticModel, call: cst.Call) -> int | None:
    given = argument(call, "size", 1)
    constant = model.value(given).constant if given is not None else None
    return constant if type(constant) is int else None


def _is_true(node: cst.BaseExpression | None) -> bool:
    return isinstance(node, cst.Name) and node.value == "True"


def _bound_name(model: SemanticModel, call: cst.Call) -> str | None:
    """The name under which an array is kept: `array = tf.TensorArray(...)`."""
    statement = model.parent(call)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    return target.value if isinstance(target, cst.Name) else None


def _writes(model: SemanticModel, unit: Unit, name: str) -> list[cst.Call]:
    """The writes to the array of this name in a unit, or in the bodies of its `tf.while_loop`."""
    found: list[cst.Call] = []
    for node in walk(unit.node):
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            continue
        holder = node.func.value
        if node.func.attr.value != "write" or not isinstance(holder, cst.Name):
            continue
        owner = model.unit(node)
        is_same = owner is unit and holder.value == name
        if is_same or _is_handed_on(model, owner, holder.value, name):
            found.append(node)
    return found


def _is_handed_on(model: SemanticModel, owner: Unit, parameter: str, name: str) -> bool:
    """Whether `parameter` of a loop body holds the array `name` that the loop starts with."""
    names = [p.name for p in owner.parameters]
    if parameter not in names:
        return False
    for use in model.uses:
        if use.unit is not owner or not isinstance(use.node, cst.Call):
            continue
        starts = argument(use.node, "loop_vars", 2)
        if isinstance(starts, (cst.List, cst.Tuple)) and len(starts.elements) == len(names):
            start = starts.elements[names.index(parameter)].value
            if isinstance(start, cst.Name) and start.value == name:
                return True
    return False


def _is_past(model: SemanticModel, write: cst.Call, size: int) -> bool:
    """Whether a write goes, or comes in time to go, past the size.

    Of a loop whose turns nobody can count it is taken to go past one member.
    """
    index = argument(write, "index", 0)
    if index is None:
        return False
    constant = model.value(index).constant
    if type(constant) is int:
        return constant >= size
    unit = model.unit(write)
    for loop in model.loops.around(write, unit):
        places = values_over(model, index, loop)
        if places is not None:
            return any(type(place) is int and place >= size for place in places)
    if size > 1:
        return False
    if unit.is_lambda or model.value(index).is_tensor:
        return True
    loops = model.loops.around(write, unit)
    turns = model.loops.info(loops[-1]).turns if loops else None
    return bool(loops) and (turns is None or turns > size)


def _length(
    model: SemanticModel, unit: Unit, call: cst.Call, writes: list[cst.Call]
) -> cst.BaseExpression | None:
    """`n` where the array's only write is `array.write(i, ...)` in `for i in tf.range(n)`."""
    if len(writes) != 1 or model.unit(writes[0]) is not unit:
        return None
    index = argument(writes[0], "index", 0)
    loop = _loop_of(model, writes[0])
    if loop is None or not isinstance(loop.iter, cst.Call) or not isinstance(index, cst.Name):
        return None
    if not isinstance(loop.target, cst.Name) or loop.target.value != index.value:
        return None
    bound = _bound(model, loop.iter)
    return bound if bound is not None and _is_known_at(model, bound, unit, call) else None


def _loop_of(model: SemanticModel, write: cst.Call) -> cst.For | None:
    """The loop in whose body a write stands as a statement of its own, which nothing leaves."""
    line: cst.CSTNode | None = write
    while line is not None and not isinstance(line, cst.SimpleStatementLine):
        line = model.parent(line)
    block = model.parent(line) if line is not None else None
    loop = model.parent(block) if block is not None else None
    if not isinstance(loop, cst.For) or loop.body is not block or loop.orelse is not None:
        return None
    jumps = (cst.Break, cst.Continue, cst.Return)
    return None if any(isinstance(n, jumps) for n in walk(loop.body)) else loop


def _bound(model: SemanticModel, iterated: cst.Call) -> cst.BaseExpression | None:
    if model.names.one(iterated.func) not in ("tensorflow.range", "builtins.range"):
        return None
    if len(iterated.args) != 1 or iterated.args[0].star or iterated.args[0].keyword is not None:
        return None
    bound = iterated.args[0].value
    value = model.value(bound)
    is_size = value.kind is Kind.INT or (value.is_tensor and value.dtype == "int32")
    return bound if is_size or _is_size(model, bound) else None


def _is_size(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """`x.shape[0]`, `tf.shape(x)[0]`, `len(x)`."""
    if isinstance(node, cst.Subscript):
        if isinstance(node.value, cst.Call):
            return model.names.one(node.value.func) == "tensorflow.shape"
        return isinstance(node.value, cst.Attribute) and node.value.attr.value == "shape"
    return isinstance(node, cst.Call) and model.names.one(node.func) == "builtins.len"


def _is_known_at(
    model: SemanticModel, bound: cst.BaseExpression, unit: Unit, call: cst.Call
) -> bool:
    """Whether `bound` has the same value where the array is made: its names are bound before."""
    for node in walk(bound):
        if not isinstance(node, cst.Name):
            continue
        home = model.binder.scope(node).home(node.value)
        if home is None or home is not unit.scope:
            continue
        bindings = home.bindings[node.value]
        if len(bindings) != 1 or not _precedes(model, bindings[0].node, call):
            return False
    return True


def _precedes(model: SemanticModel, node: cst.CSTNode, call: cst.Call) -> bool:
    return isinstance(node, cst.Param) or model.span(node).end <= model.span(call).start
