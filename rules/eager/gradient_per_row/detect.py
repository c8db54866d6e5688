"""Gradients that are taken of one row of a tensor after the other, by the same sources."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.frequency import FEW_TURNS
from tfxla_lint.semantics.repeated.invariance import is_read
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import dotted, target_names, walk
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.values import TENSOR_LIKE, Kind, range_turns

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

Turning: TypeAlias = "cst.For | cst.CompFor"
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)


@dataclass(frozen=True, slots=True)
class RowGradient:
    """`tape.gradient(y[i], x)` on each turn of `turning`.

    `is_whole` says that the turns go through all rows of `y`, in order, and that each row is one
    number, so that the gradients are the rows of the Jacobian.
    """

    call: cst.Call
    turning: Turning
    tensor: cst.BaseExpression
    sources: cst.BaseExpression
    is_whole: bool
    count: int | None = None


def head_of(gradient: RowGradient) -> cst.CSTNode:
    """What is run once for all rows."""
    turning = gradient.turning
    return turning if isinstance(turning, cst.For) else turning.iter


def recorded_before(model: SemanticModel, gradient: RowGradient) -> list[Statement]:
    """The statements that the tape of the gradients records, but for what takes these."""
    inside = {id(gradient.call), *(id(node) for node in model.ancestors(gradient.call))}
    tape = dotted(gradient.call.func.value) if isinstance(gradient.call.func, cst.Attribute) else ""
    for statement in model.nodes(cst.With):
        names = [i.asname.name for i in statement.items if i.asname is not None]
        is_it = any(isinstance(name, cst.Name) and name.value == tape for name in names)
        if is_it and model.unit(statement) is model.unit(gradient.call):
            lines = [each for each in statement.body.body if is_statement(each)]
            return [each for each in lines if id(each) not in inside]
    return []


def row_gradients(model: SemanticModel) -> Iterator[RowGradient]:
    """Those of a tensor that the turns leave alone, on a tape that was opened before."""
    for call in model.nodes(cst.Call):
        function = model.value(call.func)
        receiver = function.receiver
        if function.name != "gradient" or receiver is None or receiver.kind is not Kind.TAPE:
            continue
        target, sources = argument(call, "target", 0), argument(call, "sources", 1)
        turning = _turning(model, call)
        if target is None or sources is None or turning is None or len(call.args) != 2:
            continue
        tensor = _rows_of(model, target, turning)
        if tensor is None or _is_changed(model, call, tensor, sources, turning):
            continue
        size = _size(model, tensor, target, turning)
        if (size is not None and size <= FEW_TURNS) or _turns(model, turning) <= FEW_TURNS:
            continue
        is_whole = _is_whole(model, tensor, turning)
        yield RowGradient(call, turning, tensor, sources, is_whole, size)


def _turning(model: SemanticModel, call: cst.Call) -> Turning | None:
    """The nearest loop or comprehension around a call."""
    for ancestor in model.ancestors(call):
        if isinstance(ancestor, (cst.For, cst.CompFor)):
            return ancestor
        if isinstance(ancestor, cst.BaseComp):
            clause = getattr(ancestor, "for_in", None)
            return clause if isinstance(clause, cst.CompFor) and not clause.inner_for_in else None
        if isinstance(ancestor, (cst.While, *_SCOPES)):
            return None
    return None


def _rows_of(
    model: SemanticModel, target: cst.BaseExpression, turning: Turning
) -> cst.BaseExpression | None:
    """The tensor of which a target is the slice of the turn: `y[i]`, `y[:, i]`, or `row` in `for row in rows`.

    The tape must see the row being taken, or all of its gradients are None.
    """
    names = target_names(turning.target)
    if isinstance(target, cst.Subscript) and isinstance(target.value, cst.Name):
        indices = [e.slice.value for e in target.slice if isinstance(e.slice, cst.Index)]
        is_turn = any(isinstance(i, cst.Name) and i.value in names for i in indices)
        is_row = is_turn and inside_tape(model, target)
        return target.value if is_row and model.value(target.value).is_tensor else None
    if isinstance(target, cst.Name) and [target.value] == names:
        return _unstacked(model, turning.iter)
    return None


def _unstacked(model: SemanticModel, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The tensor that an iterable goes through, itself or after `tf.unstack`."""
    if isinstance(node, cst.Name) and not model.value(node).is_tensor:
        bindings = _bindings(model, node)
        made = bindings[0].value if len(bindings) == 1 else None
        node = made if isinstance(made, cst.Call) else node
    if not inside_tape(model, node):
        return None
    if isinstance(node, cst.Call) and model.names.one(node.func) == "tensorflow.unstack":
        node = node.args[0].value if len(node.args) == 1 else node
    return node if isinstance(node, cst.Name) and model.value(node).is_tensor else None


def _is_changed(
    model: SemanticModel,
    call: cst.Call,
    tensor: cst.BaseExpression,
    sources: cst.BaseExpression,
    turning: Turning,
) -> bool:
    """Whether turns give the tape, the tensor or the sources other meanings."""
    inside = {id(node) for node in walk(turning)}
    for part in (call.func, tensor, sources):
        for name in walk(part):
            if isinstance(name, cst.Name) and is_read(model, name):
                if any(id(binding.node) in inside for binding in _bindings(model, name)):
                    return True
    return False


def _size(
    model: SemanticModel, tensor: cst.BaseExpression, target: cst.BaseExpression, turning: Turning
) -> int | None:
    """The number of slices, where the shape is known."""
    shape = model.value(tensor).shape or ()
    axis = 0
    if isinstance(target, cst.Subscript):
        names = target_names(turning.target)
        parts = [element.slice for element in target.slice]
        indices = [part.value if isinstance(part, cst.Index) else None for part in parts]
        turns = [isinstance(i, cst.Name) and i.value in names for i in indices]
        if any(isinstance(i, cst.Ellipsis) for i in indices):
            return None
        axis = turns.index(True)
    return shape[axis] if axis < len(shape) and type(shape[axis]) is int else None


def _turns(model: SemanticModel, turning: Turning) -> int:
    """The number of turns of a `range`, or more than a few where it is unknown."""
    value = model.value(turning.iter)
    turns = range_turns(value) if value.kind is Kind.RANGE else None
    return FEW_TURNS + 1 if turns is None else turns


def _is_whole(model: SemanticModel, tensor: cst.BaseExpression, turning: Turning) -> bool:
    shape = model.value(tensor).shape
    if shape is None or len(shape) != 1 or shape[0] is Ellipsis:
        return False
    if isinstance(turning, cst.CompFor) and turning.ifs:
        return False
    if isinstance(tensor, cst.Name) and len(_bindings(model, tensor)) != 1:
        return False
    over = turning.iter
    if not isinstance(over, cst.Call) or model.names.one(over.func) != "builtins.range":
        return True
    if len(over.args) != 1:
        return False
    bound = over.args[0].value
    text = model.code
    if text(bound) in (f"{text(tensor)}.shape[0]", f"len({text(tensor)})"):
        return True
    return shape[0] is not None and model.value(bound).constant == shape[0]


def _bindings(model: SemanticModel, name: cst.Name) -> list[Binding]:
    return model.binder.scope(name).lookup(name.value)


def is_single_source(model: SemanticModel, gradient: RowGradient) -> bool:
    """Whether the gradient is by one tensor, not by a list of them."""
    value = model.value(gradient.sources)
    return value.kind in TENSOR_LIKE and not value.mixed
