"""Arrays whose size the data decide: a boolean mask picks their rows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.reaching import assigned_value
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_DEPTH = 6
_TF, _NP = "tensorflow.", "numpy."
#: Functions that give as many rows as the data have of something.
_PICKING = behaviour.names(Trait.PICKS)
_WHERE = frozenset({_TF + "where", _NP + "where"})
_GATHERING = behaviour.names(Trait.GATHERS)
#: Functions and methods that keep the length of their first argument, or of the receiver.
_KEEPING = behaviour.keeping_shape() | behaviour.names(Trait.KEEPS_LENGTH)
_METHODS = behaviour.methods(Trait.KEEPS_LENGTH)
_MASKS = behaviour.names(Trait.MASKS)


def is_sized_by_data(model: SemanticModel, node: cst.CSTNode, depth: int = _DEPTH) -> bool:
    """Whether an array has as many rows as a mask, or what is known of the data, picks."""
    if depth == 0:
        return False
    if isinstance(node, cst.Name):
        return of_name(
            model,
            ("sized by data", depth),
            node,
            lambda value: is_sized_by_data(model, value, depth - 1),
        )
    if isinstance(node, cst.Subscript):
        indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
        if any(is_mask(model, index, depth - 1) for index in indices):
            return True
        first = node.slice[0].slice
        is_row = isinstance(first, cst.Index) and _is_number(model, first.value)
        is_kept = not is_row or _is_tuple(model, node.value)
        return is_kept and is_sized_by_data(model, node.value, depth - 1)
    if isinstance(node, cst.BinaryOperation):
        return any(is_sized_by_data(model, side, depth - 1) for side in (node.left, node.right))
    return isinstance(node, cst.Call) and _is_sized_call(model, node, depth - 1)


def is_mask(model: SemanticModel, node: cst.CSTNode, depth: int = _DEPTH) -> bool:
    """Whether an index picks as many rows as the data say: a boolean array, the result of `where`."""
    if depth == 0 or not isinstance(node, cst.BaseExpression):
        return False
    value = model.value(node)
    if value.kind in (Kind.TENSOR, Kind.NDARRAY) and value.dtype == "bool" and value.shape != ():
        return True
    if isinstance(node, cst.Name):
        return of_name(model, ("mask", depth), node, lambda each: is_mask(model, each, depth - 1))
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert) and is_mask(model, node.expression, depth)
    if isinstance(node, cst.BinaryOperation):
        is_joined = isinstance(node.operator, (cst.BitAnd, cst.BitOr, cst.BitXor))
        return is_joined and any(is_mask(model, s, depth - 1) for s in (node.left, node.right))
    if isinstance(node, cst.Call) and model.names.of(node.func) & _MASKS:
        return True
    return is_sized_by_data(model, node, depth - 1)


def of_name(
    model: SemanticModel,
    question: Hashable,
    name: cst.Name,
    holds: Callable[[cst.BaseExpression], bool],
) -> bool:
    """Whether any expression assigned to a name `holds`; each name is asked a question once."""
    known: dict[Hashable, bool] = model.once("sizes_of_names", dict)
    key = (question, id(model.binder.scope(name).home(name.value)), name.value)
    if key not in known:
        known[key] = False
        known[key] = any(map(holds, assigned(model, name)))
    return known[key]


def assigned(model: SemanticModel, name: cst.Name) -> Iterator[cst.BaseExpression]:
    """The expressions that are assigned to a name of a function, also by unpacking."""
    for binding in model.binder.scope(name).lookup(name.value):
        if binding.value is not None:
            yield binding.value
            continue
        unpacked = assigned_value(model, binding)
        if unpacked is None:
            continue
        value, position = unpacked
        if isinstance(value, (cst.Tuple, cst.List)) and position < len(value.elements):
            yield value.elements[position].value
        elif isinstance(value, cst.Call) and model.names.of(value.func) & (_PICKING | _WHERE):
            yield value


def _is_sized_call(model: SemanticModel, node: cst.Call, depth: int) -> bool:
    names = model.names.of(node.func)
    plain = [argument.value for argument in node.args if not argument.star]
    if names & _PICKING:
        return True
    if names & _WHERE:
        return len(plain) == 1
    if names & _GATHERING:
        return any(is_sized_by_data(model, each, depth) for each in plain[:2])
    if names & _KEEPING:
        return bool(plain) and is_sized_by_data(model, plain[0], depth)
    if isinstance(node.func, cst.Attribute) and not names:
        name, holder = node.func.attr.value, node.func.value
        if name == "nonzero":
            return model.value(holder).kind is Kind.NDARRAY
        return name in _METHODS and is_sized_by_data(model, holder, depth)
    return False


def _is_tuple(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a call gives a tuple of arrays of indices, as NumPy's own do."""
    if isinstance(node, cst.Name):
        values = list(assigned(model, node))
        return any(isinstance(v, cst.Call) and _is_tuple(model, v) for v in values)
    if not isinstance(node, cst.Call):
        return False
    if model.names.of(node.func) & {_NP + "where", _NP + "nonzero"}:
        return True
    return isinstance(node.func, cst.Attribute) and node.func.attr.value == "nonzero"


def _is_number(model: SemanticModel, node: cst.BaseExpression) -> bool:
    return model.value(node).kind is Kind.INT
