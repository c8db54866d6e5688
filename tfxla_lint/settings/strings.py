"""The strings that a Python file spells out, put together as far as constants go; it is not run."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

#: How long a string may become that is put together.
_LONGEST = 4_000
#: Text for `%` and for `format` that no number in it makes long: all others are left unknown.
_PERCENT = re.compile(r"(?:[^%]|%(?:\(\w+\))?[-#0 +]*\d{0,3}(?:\.\d{0,3})?[A-Za-z%])*", re.DOTALL)
_FORMAT = re.compile(
    r"(?:[^{}]|\{\{|\}\}|\{\w*(?:![rsa])?(?::(?:[^{}\d]|\d{1,3}(?!\d))*)?\})*", re.DOTALL
)


def strings_of(source: str) -> Iterator[tuple[int, str]]:
    """Each string with its line: literals, and what `%`, `+`, `format` and f-strings make of them.

    A name counts that is bound once, to such a string or to a number.
    """
    tree = _parsed(source)
    if tree is not None:
        yield from _strings_in([tree], _constants(tree))


def strings_within(source: str, keyword: str) -> Iterator[tuple[int, str]]:
    """The same of what calls are given by a keyword, and of what the names in that are bound to."""
    tree = _parsed(source) if keyword in source else None
    if tree is None:
        return
    given: list[ast.AST] = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.keyword) and node.arg == keyword
    ]
    named = {n.id for part in given for n in ast.walk(part) if isinstance(n, ast.Name)}
    bound = (n for n in ast.walk(tree) if isinstance(n, ast.Assign) and len(n.targets) == 1)
    targets = ((node.targets[0], node.value) for node in bound)
    given += [value for at, value in targets if isinstance(at, ast.Name) and at.id in named]
    yield from _strings_in(given, _constants(tree))


def _parsed(source: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(source)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _strings_in(roots: list[ast.AST], names: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    pending = list(roots)
    while pending:
        node = pending.pop()
        value = _known(node, names) if isinstance(node, ast.expr) else None
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
        value = _known(values[0], found) if stores[name] == 1 else None
        if isinstance(value, (str, int, float)):
            found[name] = value
    return found


def _known(node: ast.expr, names: Mapping[str, Any]) -> Any:
    try:
        return _value(node, names)
    except RecursionError:
        return None


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
        return _all_joined(parts) if parts is not None else None
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


def _all_joined(parts: tuple[Any, ...]) -> str | None:
    try:
        return "".join(map(str, parts)) if _are_short(parts) else None
    except ValueError:  # A number of too many digits.
        return None


def _are_short(values: tuple[Any, ...]) -> bool:
    """Whether all are strings and numbers, and the strings together no longer than allowed."""
    if not all(isinstance(value, (str, int, float)) for value in values):
        return False
    return sum(len(value) for value in values if isinstance(value, str)) <= _LONGEST


def _short(text: str) -> str | None:
    return text if len(text) <= _LONGEST else None


def _joined(operator: ast.operator, left: Any, right: Any) -> str | None:
    given = right if isinstance(right, tuple) else (right,)
    if not isinstance(left, str) or not _are_short((left, *given)):
        return None
    if isinstance(operator, ast.Mod) and not _PERCENT.fullmatch(left):
        return None
    try:
        return _short(left + right if isinstance(operator, ast.Add) else left % right)
    except (TypeError, ValueError, OverflowError):
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
    if not _are_short((text, *given, *named.values())) or not _FORMAT.fullmatch(text):
        return None
    try:
        return _short(text.format(*given, **{str(name): value for name, value in named.items()}))
    except (IndexError, KeyError, ValueError, AttributeError, OverflowError):
        return None
