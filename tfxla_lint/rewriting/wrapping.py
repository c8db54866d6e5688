"""Breaks the lines that a rewrite makes longer than those of its file, in one way.

What the last bracket of a line holds goes on a line of its own, one step further in; where that is
too long still, each of its parts gets a line.
"""

from __future__ import annotations

import io
import re
import tokenize
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.layout import line_start
from tfxla_lint.source import Source, apply_edits

#: Lines up to here are never broken (PEP 8), and up to there in files too short to show theirs.
_LIMIT, _USUAL_LIMIT = 79, 88
#: One line in so many may be longer without being the measure of the others.
_EXCEPTIONS = 100
#: So many lines are broken.
_ROUNDS = 30
#: Brackets that hold less are not broken.
_SHORT = 10
#: A line that was longer than this holds data, or was written by a program: it stays one line.
_LONGEST = 1_000
_OPENING, _CLOSING = "([{", ")]}"
_LINE_END = re.compile(r"\r\n?|\n")


@dataclass(frozen=True)
class _Token:
    text: str
    start: int
    end: int


def wrapped(source: Source, edits: Sequence[Edit], step: str) -> list[Edit]:
    """The edits, with line breaks where they make a line too long.

    `edits` are sorted and disjoint, `step` is one step of the file's indentation. Too long is a
    line that is longer than the file's lines and than the line that it was, unless it was only
    moved. Blanks between tokens are replaced, and a comma may follow the last of a call's
    arguments; a line without a place for that stays long.
    """
    found = list(edits)
    limit = line_limit(source.text)
    kept, refused = _lines_of(source.text), set[str]()
    for _ in range(_ROUNDS):
        text = apply_edits(source.text, found)
        long = _long_lines(source.text, found, text, limit)
        codes = ((line, _code(text, line)) for line in long)
        line = next((line for line, code in codes if not (code in kept or code in refused)), None)
        if line is None:
            break
        # Of a text without tokens all that it has become is looked at.
        last = line.stop if _statements_of(source.text) else len(text)
        tokens = _tokens_of(text, _start_of_part(source.text, found, line.start), last)
        breaks = _breaks(text, tokens, line, limit, step, source.newline)
        made = _combined(found, breaks) if breaks else None
        if made is None:
            refused.add(_code(text, line))
        else:
            found = made
    return found


@lru_cache(maxsize=1)
def _lines_of(text: str) -> frozenset[str]:
    """The lines of a file, without what stands around them."""
    return frozenset(line.strip() for line in text.splitlines())


@lru_cache(maxsize=1)
def line_limit(text: str) -> int:
    """How many columns a file's lines take at most; one in a hundred may be longer."""
    widths = sorted((_width(line) for line in text.splitlines()), reverse=True)
    exceptions = len(widths) // _EXCEPTIONS
    return max([_LIMIT if exceptions else _USUAL_LIMIT, *widths[exceptions : exceptions + 1]])


def _code(text: str, line: range) -> str:
    return text[line.start : line.stop].strip()


def _width(line: str) -> int:
    return len(line.expandtabs())


def _long_lines(old: str, edits: Sequence[Edit], text: str, limit: int) -> list[range]:
    """The lines of `text`, made from `old` by the edits, that are too long and touched by one."""
    found = []
    shift = 0
    for edit in edits:
        start = edit.start + shift
        end = start + len(edit.text)
        shift += end - start - (edit.end - edit.start)
        was = [_width(old[line.start : line.stop]) for line in _lines(old, edit.start, edit.end)]
        if max(was) > _LONGEST:
            continue
        allowed = max(limit, was[0] if len(was) == 1 else 0)
        lines = _lines(text, start, end)
        found += [line for line in lines if _width(text[line.start : line.stop]) > allowed]
    return list(dict.fromkeys(found))


def _lines(text: str, start: int, end: int) -> list[range]:
    """The lines that a stretch of a text touches, by their offsets."""
    first = line_start(text, start)
    last = _LINE_END.search(text, end)
    stop = last.start() if last is not None else len(text)
    lines = []
    for found in _LINE_END.finditer(text, first, stop):
        lines.append(range(first, found.start()))
        first = found.end()
    return [*lines, range(first, stop)]


def _breaks(
    text: str, tokens: Sequence[_Token], line: range, limit: int, step: str, newline: str
) -> list[Edit]:
    """What is put in the place of blanks of a line; nothing where it cannot be broken.

    `tokens` are those of the statement around the line, and the first one behind the line.
    """
    own = [i for i, t in enumerate(tokens) if line.start <= t.start and t.end <= line.stop]
    if not own or any(t.start < e < t.end for t in tokens for e in (line.start, line.stop)):
        return []  # it begins or ends inside of a string
    if _width(text[line.start : tokens[own[-1]].end]) <= limit:
        return []  # a comment makes it long
    above = tokens[: own[0]]
    depth = _depth(above)
    pairs, level, still_open = _brackets(tokens, own)
    code = text[line.start : line.stop]
    indent = code[: len(code) - len(code.lstrip(" \t\f"))]

    def put(index: int, by: str = "") -> Edit:
        token, then = tokens[index], tokens[index + 1]
        return Edit(token.end, then.start, newline + indent + by)

    parts = [i for i in level if i != own[-1] and tokens[i].text == ","]
    words = {tokens[i].text: i for i in level}
    if depth and words.get("for", own[0]) != own[0]:
        return [put(words["for"] - 1)]
    if depth and parts and not {"for", "lambda"} & words.keys():
        edits = [put(index) for index in parts]
        last = tokens[own[-1]]
        is_closed = _depth(tokens[: own[-1] + 1]) == depth and tokens[own[-1] + 1].text in _CLOSING
        if is_closed and above[-1].text in _OPENING and last.text != ",":
            edits.append(Edit(last.end, last.end, ","))
        return edits
    if still_open and still_open[0] != own[-1]:
        return [put(still_open[0], step)]
    wide = [(a, b) for a, b in pairs if tokens[b].start - tokens[a].end >= _SHORT]
    fitting = [p for p in wide if _width(text[line.start : tokens[p[0]].end]) <= limit]
    return [put(fitting[-1][0], step), put(fitting[-1][1] - 1)] if fitting else []


def _depth(tokens: Sequence[_Token]) -> int:
    """How many brackets are open behind some tokens."""
    return sum((token.text in _OPENING) - (token.text in _CLOSING) for token in tokens)


def _brackets(
    tokens: Sequence[_Token], own: Sequence[int]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """The outermost pairs of brackets of some tokens, the tokens outside of all brackets, and the
    brackets that stay open."""
    pairs: list[tuple[int, int]] = []
    level: list[int] = []
    stack: list[int] = []
    for index in own:
        text = tokens[index].text
        if text in _OPENING:
            stack.append(index)
        elif text in _CLOSING and stack:
            first = stack.pop()
            pairs = [pair for pair in pairs if pair[0] < first]
            pairs.append((first, index))
        elif text in _CLOSING:
            break
        elif not stack:
            level.append(index)
    return pairs, level, stack


def _tokens_of(text: str, first: int, last: int) -> list[_Token]:
    """The tokens of a module's text from a line on, up to the first one at `last` or behind it, but for
    comments and line ends; none where it has none.

    What is inside of an f-string is left out: no line may be broken there.
    """
    lines = list(io.StringIO(text[first:], newline=""))
    starts = [first]
    for line in lines:
        starts.append(starts[-1] + len(line))
    tokens: list[_Token] = []
    strings = 0
    try:
        for info in tokenize.generate_tokens(iter([*lines, ""]).__next__):
            name = tokenize.tok_name[info.type]
            strings -= name == "FSTRING_END"
            start, end = (starts[row - 1] + column for row, column in (info.start, info.end))
            if info.string.strip() and name != "COMMENT" and not strings:
                tokens.append(_Token(info.string, start, end))
                if start >= last:
                    break
            strings += name == "FSTRING_START"
    except (tokenize.TokenError, SyntaxError):
        return []
    return tokens


def _start_of_part(text: str, edits: Sequence[Edit], offset: int) -> int:
    """Where the last statement that is known to stand in no other begins, before an offset of what edits
    make of a text."""
    statements = _statements_of(text)
    found = shift = behind = 0
    for edit in [*edits, None]:
        end = edit.start if edit is not None else len(text)
        for start in statements[bisect_left(statements, behind) : bisect_right(statements, end)]:
            if start + shift <= offset:
                found = start + shift
        if edit is not None:
            behind = edit.end + 1
            shift += len(edit.text) - (edit.end - edit.start)
    return found


@lru_cache(maxsize=1)
def _statements_of(text: str) -> list[int]:
    """Where the statements of a module begin that stand in no other; none where it has no tokens."""
    starts = [0]
    lines = list(io.StringIO(text, newline=""))
    for line in lines:
        starts.append(starts[-1] + len(line))
    found: list[int] = []
    is_new = True
    try:
        for info in tokenize.generate_tokens(iter([*lines, ""]).__next__):
            if info.type == tokenize.NEWLINE:
                is_new = True
            elif is_new and info.string.strip() and info.type != tokenize.COMMENT:
                is_new = False
                if info.start[1] == 0:
                    found.append(starts[info.start[0] - 1])
    except (tokenize.TokenError, SyntaxError):
        return []
    return found


def _combined(edits: Sequence[Edit], breaks: Sequence[Edit]) -> list[Edit] | None:
    """Edits of a text, and further ones of what they made of it, as edits of that text.

    None where one of the further ones reaches over the end of an edit.
    """
    found: list[Edit] = []
    pending = sorted(breaks, key=lambda b: (b.start, b.end))
    shift = 0
    for edit in edits:
        start = edit.start + shift
        end = start + len(edit.text)
        while pending and pending[0].end <= start and pending[0].start < start:
            found.append(_moved(pending.pop(0), -shift))
        inside = [b for b in pending if start <= b.start and b.end <= end]
        if any(b.start < end and start < b.end for b in pending if b not in inside):
            return None
        text = apply_edits(edit.text, [_moved(b, -start) for b in inside])
        found.append(Edit(edit.start, edit.end, text))
        pending = [b for b in pending if b not in inside]
        shift += len(edit.text) - (edit.end - edit.start)
    return [*found, *(_moved(b, -shift) for b in pending)]


def _moved(edit: Edit, by: int) -> Edit:
    return Edit(edit.start + by, edit.end + by, edit.text)
