"""Shapes after indexing: `x[0]`, `x[:, 1:]`, `x[..., None]`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import libcst as cst

from tfxla_lint.semantics.kinds.shapes import Shape, is_ranked
from tfxla_lint.semantics.syntax import is_none
from tfxla_lint.semantics.values import NUMBERS, Kind, Value, range_length

_Known = Callable[[cst.CSTNode], Value]


def indexed(shape: Shape, node: cst.Subscript, value_of: _Known) -> Shape:
    """The shape of `x[...]` for an `x` of this shape; `value_of` gives the kinds of indices."""
    parts = [element.slice for element in node.slice]
    leading = _leading(shape, parts)
    if shape is None or not is_ranked(shape):
        return leading
    taken = sum(1 for part in parts if not is_new_axis(part) and not _is_ellipsis(part))
    if taken > len(shape):
        return leading
    found: list[Any] = []
    at = 0
    for part in parts:
        if is_new_axis(part):
            found.append(1)
        elif _is_ellipsis(part):
            rest = len(shape) - taken
            found.extend(shape[at : at + rest])
            at += rest
        elif isinstance(part, cst.Slice):
            found.append(_cut(shape[at], part, value_of))
            at += 1
        else:
            if not isinstance(part, cst.Index) or not _is_number(value_of(part.value)):
                return leading
            at += 1
    return (*found, *shape[at:])


def _leading(shape: Shape, parts: list[cst.BaseSlice]) -> Shape:
    """What a new axis in front says, where nothing else is known."""
    if not parts or not is_new_axis(parts[0]):
        return None
    return (1, *shape) if len(parts) == 1 and shape is not None else (1, ...)


def _is_number(value: Value) -> bool:
    """Whether an index takes one of the members: a number, or a tensor of one."""
    if value.kind is Kind.TENSOR:
        return value.shape == () and (value.dtype or "").startswith(("int", "uint"))
    return value.kind in NUMBERS and value.kind is not Kind.BOOL and not value.maybe_none


def is_new_axis(part: cst.BaseSlice) -> bool:
    """Whether a part of an index makes a dimension: `None`, `np.newaxis`."""
    node = part.value if isinstance(part, cst.Index) else None
    if isinstance(node, cst.Attribute):
        return node.attr.value == "newaxis"
    return node is not None and is_none(node)


def _is_ellipsis(part: cst.BaseSlice) -> bool:
    return isinstance(part, cst.Index) and isinstance(part.value, cst.Ellipsis)


def _cut(size: Any, part: cst.Slice, value_of: _Known) -> Any:
    """The size of a dimension after `lower:upper:step`."""
    bounds = [part.lower, part.upper, part.step]
    if all(bound is None for bound in bounds):
        return size
    known = [None if bound is None else value_of(bound).constant for bound in bounds]
    if type(size) is not int or not all(k is None or type(k) is int for k in known):
        return None
    if any(k is None and bound is not None for k, bound in zip(known, bounds, strict=True)):
        return None
    return None if known[2] == 0 else range_length(slice(*known).indices(size))
