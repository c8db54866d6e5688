"""The algebra of static shapes.

A shape is a tuple of sizes; a dimension is an int, None where unknown, or VARYING where it changes
from call to call. A trailing Ellipsis stands for unknown further dimensions. An unknown shape is
None, and what cannot be worked out is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from tfxla_lint.semantics.values import VARYING, Value

Shape = tuple[Any, ...] | None


def is_ranked(shape: Shape) -> bool:
    """Whether the number of dimensions is known."""
    return shape is not None and Ellipsis not in shape


def broadcast(left: Shape, right: Shape) -> Shape:
    """The shape of an elementwise operation on two arrays."""
    if left == () or right == ():
        return right if left == () else left
    if left is None or right is None or not (is_ranked(left) and is_ranked(right)):
        return None
    longer, shorter = (left, right) if len(left) >= len(right) else (right, left)
    ahead = len(longer) - len(shorter)
    pairs = zip(longer[ahead:], shorter, strict=True)
    return (*longer[:ahead], *(_meet(a, b) for a, b in pairs))


def _meet(a: Any, b: Any) -> Any:
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    sizes = [size for size in (a, b) if type(size) is int]
    return sizes[0] if len(sizes) == 1 else None


def matmul(left: Shape, right: Shape) -> Shape:
    """The shape of `left @ right` for two arrays of at least two dimensions."""
    if left is None or right is None or not (is_ranked(left) and is_ranked(right)):
        return None
    if len(left) < 2 or len(right) < 2:
        return None
    batch = broadcast(left[:-2], right[:-2])
    return None if batch is None else (*batch, left[-2], right[-1])


def reduce(shape: Shape, axes: Sequence[int] | None, keep: bool = False) -> Shape:
    """The shape after reducing `axes`, all of them where None."""
    if axes is None and not keep:
        return ()
    if shape is None or not is_ranked(shape):
        return None
    rank = len(shape)
    gone = set(range(rank)) if axes is None else {axis % rank if rank else 0 for axis in axes}
    if axes is not None and any(not -rank <= axis < rank for axis in axes):
        return None
    if keep:
        return tuple(1 if i in gone else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in gone)


def concat(shapes: Sequence[Shape], axis: int) -> Shape:
    """The shape of arrays joined along `axis`: all have the rank of those of which it is known."""
    known = [shape for shape in shapes if shape is not None and is_ranked(shape)]
    if not known or len({len(shape) for shape in known}) != 1:
        return None
    rank = len(known[0])
    if not -rank <= axis < rank:
        return None
    columns = list(zip(*known, strict=True))
    return tuple(
        _common(sizes) if i != axis % rank else _total(sizes) if len(known) == len(shapes) else None
        for i, sizes in enumerate(columns)
    )


def _total(sizes: tuple[Any, ...]) -> Any:
    if all(type(size) is int for size in sizes):
        return sum(sizes)
    return VARYING if VARYING in sizes else None


def _common(sizes: tuple[Any, ...]) -> Any:
    return next((size for size in sizes if type(size) is int), sizes[0])


def stack(shapes: Sequence[Shape], axis: int = 0) -> Shape:
    """The shape of equal arrays stacked along a new `axis`."""
    first = shapes[0] if shapes else None
    if first is None or not is_ranked(first):
        return (len(shapes), ...) if axis == 0 and shapes else None
    return insert(first, axis, len(shapes))


def insert(shape: Shape, axis: int, size: Any = 1) -> Shape:
    """The shape with a new dimension at `axis`."""
    if shape is None or not is_ranked(shape):
        return (size, *(shape if shape is not None else (...,))) if axis == 0 else None
    rank = len(shape) + 1
    if not -rank <= axis < rank:
        return None
    at = axis % rank
    return (*shape[:at], size, *shape[at:])


def squeeze(shape: Shape, axes: Sequence[int] | None) -> Shape:
    """The shape without dimensions of size 1."""
    if shape is None or not is_ranked(shape):
        return None
    if axes is not None:
        return reduce(shape, axes)
    if not all(type(size) is int for size in shape):
        return None
    return tuple(size for size in shape if size != 1)


def transpose(shape: Shape, order: Sequence[int] | None) -> Shape:
    """The shape with its dimensions in another order, reversed where None."""
    if shape is None or not is_ranked(shape):
        return None
    if order is None:
        return tuple(reversed(shape))
    if sorted(order) != list(range(len(shape))):
        return None
    return tuple(shape[i] for i in order)


def reshape(shape: Shape, sizes: Shape) -> Shape:
    """The shape that `sizes` ask for; a single unknown one follows from the number of elements."""
    if sizes is None or not is_ranked(sizes) or shape is None or not is_ranked(shape):
        return sizes
    unknown = [i for i, size in enumerate(sizes) if type(size) is not int]
    if len(unknown) != 1 or not all(type(size) is int for size in shape):
        return sizes
    rest = math.prod(size for size in sizes if type(size) is int)
    elements = math.prod(shape)
    if rest == 0 or elements % rest:
        return sizes
    return tuple(elements // rest if i == unknown[0] else size for i, size in enumerate(sizes))


def written(value: Value | None) -> Shape:
    """The shape that a value names: a list of sizes, or one size."""
    if value is None:
        return None
    if value.elements is not None:
        return tuple(map(size, value.elements))
    return (size(value),) if type(value.constant) is int else None


def size(value: Value | None) -> int | None:
    """The dimension that a value gives; None where it is not known, or left open by -1."""
    found = integer(value)
    return found if found is not None and found >= 0 else None


def integer(value: Value | None) -> int | None:
    """The one integer that a value is; None where it is none or not known."""
    return value.constant if value is not None and type(value.constant) is int else None


def integers(value: Value | None) -> list[int] | None:
    """The integers that a value is: one, or a list of them; None where not all are known."""
    if value is None:
        return None
    if type(value.constant) is int:
        return [value.constant]
    if value.elements is not None and all(type(e.constant) is int for e in value.elements):
        return [e.constant for e in value.elements]
    return None
