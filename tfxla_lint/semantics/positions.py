"""Where the nodes of a module stand in its text, from a single code generation."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cached_property
from itertools import accumulate
from types import TracebackType
from typing import Any

import libcst as cst
from libcst._nodes.internal import CodegenState

_Range = tuple[int, int]

_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+\Z")


class PositionsError(Exception):
    """The tree generates other lines than the text has, so its nodes have no places in it."""


class Positions:
    """Code point offsets of every node of one parsed module but blanks, looked up by identity.

    `exact` is False where the generated code differs from the text by more than form feeds in
    front of a line or blanks at the end of the file. The places are right to the line then, and nothing may be edited.
    """

    def __init__(self, module: cst.Module, text: str) -> None:
        state = _Recorder(module.default_indent, module.default_newline)
        module._codegen(state)
        generated = "".join(state.tokens)
        #: Keeps the nodes alive: a dead node's identity could be given to another one.
        self.module = module
        self._whole = state.whole
        self._syntactic = state.syntactic
        self._offsets = list(accumulate(map(len, state.tokens), initial=0))
        self._lines = None if generated == text else _LineMap(generated, text)
        self.exact = self._lines is None or self._lines.exact
        self._comments = state.comments

    def syntactic(self, node: cst.CSTNode) -> _Range:
        """Start and end without the whitespace, commas and comments that the node owns.

        This is LibCST's own notion: parentheses around an expression lie outside (even those of a
        tuple or a generator), decorators lie outside of their function, and a block ends with its
        last statement.
        """
        known = self._syntactic.get(id(node))
        return self._range(known if known is not None else self._whole[id(node)], inner=True)

    def whole(self, node: cst.CSTNode) -> _Range:
        """Start and end with all that the node owns.

        For an expression that is its own parentheses, for a statement the lines that lead it, its
        trailing comment and its newline: the statements of a block lie end to end.
        """
        inner = isinstance(node, (cst.BaseExpression, cst.BaseSmallStatement))
        return self._range(self._whole[id(node)], inner=inner)

    def comments(self, start: int, end: int) -> list[_Range]:
        """Where the comments between two offsets stand."""
        places = self._places_of_comments
        first, last = (bisect_left(places, (offset,)) for offset in (start, end + 1))
        return [place for place in places[first:last] if place[1] <= end]

    @cached_property
    def _places_of_comments(self) -> list[_Range]:
        return sorted(self._range(known, inner=True) for known in self._comments)

    def _range(self, tokens: _Range, *, inner: bool) -> _Range:
        offsets = self._offsets
        last = len(offsets) - 1
        start, end = offsets[min(tokens[0], last)], offsets[min(tokens[1], last)]
        if self._lines is not None:
            return self._lines.place(start, inner=inner), self._lines.place(end, inner=False)
        return start, end


class _Recorder(CodegenState):
    """Notes for each node the number of tokens written before and after it."""

    def __init__(self, default_indent: str, default_newline: str) -> None:
        super().__init__(default_indent, default_newline)
        self.whole: dict[int, _Range] = {}
        self.syntactic: dict[int, _Range] = {}
        self.comments: list[_Range] = []
        self._starts: list[int] = []

    def before_codegen(self, node: cst.CSTNode) -> None:
        self._starts.append(len(self.tokens))

    def after_codegen(self, node: cst.CSTNode) -> None:
        place = (self._starts.pop(), len(self.tokens))
        self.whole[id(node)] = place
        if type(node) is cst.Comment:
            self.comments.append(place)

    def record_syntactic_position(  # type: ignore[override]
        self,
        node: cst.CSTNode,
        *,
        start_node: cst.CSTNode | None = None,
        end_node: cst.CSTNode | None = None,
    ) -> _Recording:
        return _Recording(self, node, start_node, end_node)

    def known(self, node: cst.CSTNode) -> _Range:
        place = self.syntactic.get(id(node))
        return place if place is not None else self.whole[id(node)]


def _as_blanks(self: cst.SimpleWhitespace, state: CodegenState, **given: object) -> None:
    """How blanks, which are half of the nodes, are written where nobody asks where they stand."""
    if type(state) is _Recorder:
        state.tokens.append(self.value)
    else:
        cst.CSTNode._codegen(self, state, **given)


def _as_name(self: cst.Name, state: CodegenState, **given: object) -> None:
    """How a name is written, whose one token is all of it."""
    if type(state) is _Recorder and not self.lpar:
        at = len(state.tokens)
        state.tokens.append(self.value)
        state.whole[id(self)] = at, at + 1
    else:
        cst.CSTNode._codegen(self, state, **given)


def _quick_around(self: Any, state: CodegenState) -> AbstractContextManager[None]:
    """What writes the parentheses around an expression, without a generator where it has none."""
    if self.lpar or self.rpar:
        return _around(self, state)
    return state.record_syntactic_position(self)


_PARENTHESIZED = cst.BaseExpression.__base__
assert _PARENTHESIZED is not None
_around: Callable[..., AbstractContextManager[None]] = vars(_PARENTHESIZED)["_parenthesize"]
setattr(_PARENTHESIZED, "_parenthesize", _quick_around)  # noqa: B010
setattr(cst.SimpleWhitespace, "_codegen", _as_blanks)  # noqa: B010
setattr(cst.Name, "_codegen", _as_name)  # noqa: B010


class _Recording:
    """A context that notes the tokens written inside of it; cheaper than a generator."""

    __slots__ = ("_end_node", "_node", "_start", "_start_node", "_state")

    def __init__(
        self,
        state: _Recorder,
        node: cst.CSTNode,
        start_node: cst.CSTNode | None,
        end_node: cst.CSTNode | None,
    ) -> None:
        self._state = state
        self._node = node
        self._start_node = start_node
        self._end_node = end_node
        self._start = 0

    def __enter__(self) -> None:
        self._start = len(self._state.tokens)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            return
        state, start, end = self._state, self._start, len(self._state.tokens)
        if self._start_node is not None:
            start = state.known(self._start_node)[0]
        if self._end_node is not None:
            end = state.known(self._end_node)[1]
        state.syntactic[id(self._node)] = (start, end)


class _LineMap:
    """Places in generated code, translated line by line to places in the text.

    LibCST loses blank lines and comments at the end of a file, where the last of them are indented
    by less than the block above. It drops a form feed in front of a top-level statement, and
    repeats one that stands in the first indentation of a file; it also drops the last newline of a
    file with bare carriage returns.
    """

    def __init__(self, generated: str, text: str) -> None:
        ours, theirs = _lines(generated), _lines(text)
        ours, is_whole = _aligned(ours, theirs)
        self._starts = list(accumulate(map(len, ours), initial=0))
        self._text_starts = list(accumulate(map(len, theirs), initial=0))
        self._lengths = [len(line) for line in theirs]
        #: How much longer each line of the text begins than the generated one.
        self._shifts = [
            len(b) - len(a) if b.endswith(a) else 0 for a, b in zip(ours, theirs, strict=True)
        ]
        self.exact = is_whole and all(
            _is_like(a, b) or not (a or b.strip()) for a, b in zip(ours, theirs, strict=True)
        )

    def place(self, offset: int, *, inner: bool) -> int:
        """The place of an offset; `inner` at the start of a line means behind its form feeds."""
        line = min(bisect_right(self._starts, offset), len(self._lengths)) - 1
        column = offset - self._starts[line]
        if column > 0 or inner:
            column += self._shifts[line]
        return self._text_starts[line] + min(max(column, 0), self._lengths[line])


def _aligned(ours: list[str], theirs: list[str]) -> tuple[list[str], bool]:
    """Generated lines with an empty one for each that is lost; True if only the last one may be.

    Raises PositionsError where other lines are lost than those of comments and blanks, and those of a
    backslash alone.
    """
    if len(ours) == len(theirs):
        return ours, True
    found: list[str] = []
    rest = iter([*ours, ""])
    line = next(rest)
    for other in theirs:
        if line and _is_like(line, other):
            found.append(line)
            line = next(rest)
        elif not other.strip().strip("\\") or other.lstrip().startswith("#"):
            found.append("")
        else:
            break
    if line or len(found) != len(theirs):
        raise PositionsError("LibCST does not give back the lines of this file")
    return found, found == [*ours, ""]


def _is_like(ours: str, theirs: str) -> bool:
    """Whether a line was generated from one of the text, form feeds and line ends aside."""
    return ours == theirs or theirs.strip("\f") == ours or theirs == ours + "\r"


def _lines(text: str) -> list[str]:
    """The lines of `text` with their endings, as CPython counts them; at least one."""
    return _LINE.findall(text) or [""]
