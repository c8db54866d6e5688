"""The strings that a Python file spells out, put together as far as constants go; it is not run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Mapping
from typing import Any


def strings_of(source: str) -> Iterator[tuple[int, str]]:
    """Each string with its line: literals, and what `%`, `+`, `format` and f-strings make of them.

    A name counts that is bound once, to such a string or to a number.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
    names = _constants(tree)
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        value = _value(node, names) if isinstance(node, ast.expr) else None
        if isinstance(value, str):
            yield node.lineno, value  # type: ignore[attr-defined]
        else:
            pending.extend(ast.iter_child_nodes(node))


def _constants(tree: ast.AST) -> dict[str, Any]:
    """The names that are bound once, each with its value."""
    bound: dict[str, list[ast.expr]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            if isinstance(node.targets[0], ast.Name):
                bound.setdefault(node.targets[0].id, []).append(node.value)
    stores: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stores[node.id] = stores.get(node.id, 0) + 1
    found: dict[str, Any] = {}
    for name, values in bound.items():
        value = _value(values[0], found) if stores[name] == 1 else None
        if value is not None:
            found[name] = value
    return found


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """What an expression of constants is; None where that is not known."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, (str, int, float)) else None
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        return _all(node.elts, names)
    if isinstance(node, ast.JoinedStr):
        parts = _all(node.values, names)
        return "".join(map(str, parts)) if parts is not None else None
    if isinstance(node, ast.FormattedValue):
        is_plain = node.format_spec is None and node.conversion == -1
        return _value(node.value, names) if is_plain else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Mod)):
        sides = _all([node.left, node.right], names)
        return _joined(node.op, *sides) if sides is not None else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _formatted(node, node.func, names)
    return None


def _all(nodes: list[ast.expr], names: Mapping[str, Any]) -> tuple[Any, ...] | None:
    values = tuple(_value(node, names) for node in nodes)
    return None if None in values else values


def _joined(operator: ast.operator, left: Any, right: Any) -> str | None:
    if not isinstance(left, str):
        return None
    try:
        return str(left + right if isinstance(operator, ast.Add) else left % right)
    except (TypeError, ValueError):
        return None


def _formatted(call: ast.Call, method: ast.Attribute, names: Mapping[str, Any]) -> str | None:
    """`"...".format(...)` of constants."""
    text = _value(method.value, names)
    given = _all(call.args, names)
    named = {word.arg: _value(word.value, names) for word in call.keywords}
    if method.attr != "format" or not isinstance(text, str) or given is None:
        return None
    if None in named or None in named.values():
        return None
    try:
        return text.format(*given, **{str(name): value for name, value in named.items()})
    except (IndexError, KeyError, ValueError, AttributeError):
        return None
