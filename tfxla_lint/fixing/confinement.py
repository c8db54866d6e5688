"""Check L1: outside of the edited stretches, the syntax trees before and after are equal."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from tfxla_lint.fixing.places import Stretches
from tfxla_lint.source import Source

#: A pair that must be equal, and the line of the old text that a message names.
_Pair = tuple[object, object, int]


def first_difference(old: Tree, new: Tree) -> int | None:
    """The line of the old text at which the trees differ outside of the edits, if they do.

    The trees are walked together. A part that lies in an edited stretch may be anything, on both
    sides; what is left must agree in kind, order and contents, so an edit can add, take away and
    replace parts, but not change how the rest hangs together.
    """
    stack: list[_Pair] = [(old.root, new.root, 1)]
    while stack:
        a, b, line = stack.pop()
        if isinstance(a, ast.AST) and isinstance(b, ast.AST):
            line = getattr(a, "lineno", line)
            if type(a) is not type(b):
                return line
            if isinstance(a, ast.JoinedStr) and isinstance(b, ast.JoinedStr):
                stack.extend((*pair, line) for pair in _joined_pairs(a, b, old))
            else:
                stack.extend((*pair, line) for pair in _pairs(a, b, old, new))
        elif isinstance(a, ast.AST) or isinstance(b, ast.AST) or not _equal(a, b):
            return line
    return None


#: The kinds of nodes that have a place in the text.
_Placed = (ast.stmt, ast.expr, ast.arg, ast.keyword, ast.alias, ast.excepthandler, ast.pattern)
_Node = ast.stmt | ast.expr | ast.arg | ast.keyword | ast.alias | ast.excepthandler | ast.pattern


class Tree:
    """The syntax tree of one text, with the stretches that edits touch or made."""

    def __init__(self, text: str, root: ast.Module, stretches: Stretches) -> None:
        self.root = root
        self._source = Source("", text)
        self._stretches = stretches
        self._lines = Stretches(
            [
                (self._source.position(start)[0], self._source.position(end)[0])
                for start, end in stretches.ranges
            ]
        )

    def is_edited(self, node: ast.AST) -> bool:
        """Whether all of a node's code lies in one edited stretch."""
        lines = _lines(node)
        if lines is None or self._lines.holding(*lines) is None:
            return False
        return self._stretches.holding(*self._span(node)) is not None

    def is_touched(self, node: ast.expr) -> bool:
        """Whether an edited stretch meets a node's code."""
        return self._meets_lines(node) and self._stretches.meets(*self._span(node))

    def has_edited_words(self, node: ast.AST) -> bool:
        """Whether an edit lies in a node's header but in none of its parts: at a name it binds."""
        if not isinstance(node, _Placed) or not self._meets_lines(node):
            return False
        start, end = self._span(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            end = self._span(body[0])[0]
        parts = [self._span(part) for part in ast.iter_child_nodes(node) if _lines(part)]
        return any(
            not any(c <= a and b <= d for c, d in parts)
            for a, b in self._stretches.meeting(start, end)
        )

    def _meets_lines(self, node: _Node) -> bool:
        return self._lines.meets(node.lineno - 1, (node.end_lineno or 0) + 1)

    def _span(self, node: ast.AST) -> tuple[int, int]:
        """Where the code of a node with places lies, without a generator's parentheses."""
        places = list(_places(node))
        start = min(self._offset(p.lineno, p.col_offset) for p in places)
        end = max(self._offset(p.end_lineno or 0, p.end_col_offset or 0) for p in places)
        return (start + 1, end - 1) if isinstance(node, ast.GeneratorExp) else (start, end)

    def _offset(self, line: int, column: int) -> int:
        """The code point offset of a line and a column in bytes."""
        start = self._source.line_starts[line - 1]
        text = self._source.line_text(line)
        if not text.isascii():
            column = len(text.encode()[:column].decode(errors="ignore"))
        return start + column


def _places(node: ast.AST) -> Iterator[_Node]:
    """The nodes with places that make up a node: itself with its decorators, or its parts."""
    if isinstance(node, _Placed):
        yield node
        yield from getattr(node, "decorator_list", ())
        return
    for child in ast.iter_child_nodes(node):
        yield from _places(child)


def _lines(node: ast.AST) -> tuple[int, int] | None:
    places = list(_places(node))
    if not places:
        return None
    return min(p.lineno for p in places), max(p.end_lineno or 0 for p in places)


def _pairs(a: ast.AST, b: ast.AST, old: Tree, new: Tree) -> Iterator[tuple[object, object]]:
    for name, first in ast.iter_fields(a):
        second = getattr(b, name, None)
        if name in _SIDE_BY_SIDE.get(type(a), ()):
            continue
        if isinstance(first, list) and isinstance(second, list):
            pairs = list(_list_pairs(first, second, old, new))
        elif _is_edited_away(first, old) and _is_edited_away(second, new):
            continue
        else:
            pairs = [(first, second)]
        if _is_name(first) and _is_name(second) and first != second and not _is_constant(a):
            if old.has_edited_words(a):
                continue
        yield from pairs
    if isinstance(a, ast.Dict) and isinstance(b, ast.Dict):
        yield from _row_pairs(_items(a), _items(b), old, new)
    if isinstance(a, ast.arguments) and isinstance(b, ast.arguments):
        yield from _row_pairs(_keyword_only(a), _keyword_only(b), old, new)


#: Lists of which one row by row belongs to the other, where a missing part is None.
_SIDE_BY_SIDE: dict[type[ast.AST], tuple[str, ...]] = {
    ast.Dict: ("keys", "values"),
    ast.arguments: ("kwonlyargs", "kw_defaults"),
}


def _is_name(value: object) -> bool:
    """Whether a field's value is an identifier, or a list of them, or none."""
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return value is None or isinstance(value, str)


def _is_constant(node: ast.AST) -> bool:
    return isinstance(node, (ast.Constant, ast.Name))


def _is_edited_away(part: object, tree: Tree) -> bool:
    return part is None or (isinstance(part, ast.AST) and tree.is_edited(part))


def _list_pairs(
    first: Sequence[object], second: Sequence[object], old: Tree, new: Tree
) -> Iterator[tuple[object, object]]:
    left = [part for part in first if not (isinstance(part, ast.AST) and old.is_edited(part))]
    right = [part for part in second if not (isinstance(part, ast.AST) and new.is_edited(part))]
    yield len(left), len(right)
    yield from zip(left, right, strict=False)


_Row = tuple["ast.AST | None", "ast.AST | None"]


def _items(node: ast.Dict) -> list[_Row]:
    return list(zip(node.keys, node.values, strict=True))


def _keyword_only(node: ast.arguments) -> list[_Row]:
    return list(zip(node.kwonlyargs, node.kw_defaults, strict=True))


def _row_pairs(
    first: Sequence[_Row], second: Sequence[_Row], old: Tree, new: Tree
) -> Iterator[tuple[object, object]]:
    """Pairs of rows in lists that run side by side: keys and values, parameters and defaults."""
    left = [row for row in first if not all(_is_edited_away(part, old) for part in row)]
    right = [row for row in second if not all(_is_edited_away(part, new) for part in row)]
    yield len(left), len(right)
    for a, b in zip(left, right, strict=False):
        for x, y in zip(a, b, strict=True):
            if not (_is_edited_away(x, old) and _is_edited_away(y, new)):
                yield x, y


def _joined_pairs(a: ast.JoinedStr, b: ast.JoinedStr, old: Tree) -> Iterator[tuple[object, object]]:
    """The parts of two f-strings; before Python 3.12 the code in them has no reliable places."""
    if not old.is_touched(a):
        yield ast.dump(a), ast.dump(b)
        return
    yield len(a.values), len(b.values)
    for x, y in zip(a.values, b.values, strict=False):
        if isinstance(x, ast.FormattedValue) and isinstance(y, ast.FormattedValue):
            yield x.conversion, y.conversion
            yield _dump(x.format_spec), _dump(y.format_spec)
        else:
            yield ast.dump(x), ast.dump(y)


def _dump(node: ast.AST | None) -> str:
    return "" if node is None else ast.dump(node)


def _equal(a: object, b: object) -> bool:
    """Equality of constants that tells 1 from 1.0 and True, and 0.0 from -0.0."""
    return type(a) is type(b) and (a == b or a != a) and repr(a) == repr(b)
