"""Which sizes of arrays code takes a number from: `height - size` means that it fits in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfxla_lint.verify.trees import Function, pairs_of
from tfxla_lint.verify.uses import is_name, number_of

#: A size: of which parameter, along which axis.
Size = tuple[str, int]


def sizes_around(function: Function | ast.Lambda, name: str) -> list[Size]:
    """The sizes of other parameters that a number is taken from, where no code asks which is larger.

    Who writes `range(x.shape[0] - window + 1)` means windows that are no longer than `x`.
    """
    known = dict(_named_sizes(function))
    found: list[Size] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) or _is_bound(node):
            read = {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
            if name in read:
                return []
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
            size = known.get(getattr(node.left, "id", "")) or _size(node.left)
            if size is not None and size[0] != name and _is_it(node.right, name):
                found.append(size)
    return list(dict.fromkeys(found))


def _is_bound(node: ast.AST) -> bool:
    """Whether a call takes the larger or the smaller of what it is passed."""
    called = node.func if isinstance(node, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) in (
        "max",
        "min",
        "maximum",
        "minimum",
    )


def _is_it(node: ast.expr, name: str) -> bool:
    """The number, or with a whole one more or less."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        return is_name(node.left, name) and number_of(node.right) is not None
    return is_name(node, name)


def _named_sizes(function: Function | ast.Lambda) -> Iterator[tuple[str, Size]]:
    for node in ast.walk(function):
        if not isinstance(node, ast.Assign):
            continue
        for target, value in pairs_of(node):
            size = _size(value)
            if isinstance(target, ast.Name) and size is not None:
                yield target.id, size
            owner = _shape_owner(value.value if isinstance(value, ast.Subscript) else value)
            if isinstance(target, (ast.Tuple, ast.List)) and owner:
                # Of a part of a shape it is the first one that is taken apart.
                for axis, part in enumerate(target.elts):
                    if isinstance(part, ast.Name):
                        yield part.id, (owner, axis)


def _size(node: ast.expr) -> Size | None:
    """`len(x)` or `x.shape[1]`."""
    if isinstance(node, ast.Call) and is_name(node.func, "len") and len(node.args) == 1:
        return (node.args[0].id, 0) if isinstance(node.args[0], ast.Name) else None
    if isinstance(node, ast.Subscript):
        axis, owner = number_of(node.slice), _shape_owner(node.value)
        return (owner, axis) if owner and type(axis) is int else None
    return None


def _shape_owner(node: ast.expr) -> str:
    is_shape = isinstance(node, ast.Attribute) and node.attr == "shape"
    return getattr(node.value, "id", "") if is_shape else ""  # type: ignore[attr-defined]
