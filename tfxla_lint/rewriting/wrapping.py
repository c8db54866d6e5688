"""Breaks the lines that a rewrite makes longer than those of its file, as the file breaks its own."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.alignment import hanging, indented
from tfxla_lint.rewriting.brackets import Token, tokens_of
from tfxla_lint.source import Source, apply_edits

#: Lines up to here are never broken (PEP 8), and up to there only in files that break theirs.
_LIMIT, _USUAL_LIMIT = 79, 88
#: A file that breaks so many lines shows how long they may be.
_ENOUGH = 3
#: So does one with so many lines from this length up to the limit.
_MANY, _NEARLY = 5, 72
#: Some count the line's end in.
_WITH_END = 80
#: One line in so many may be longer without being the measure of the others.
_EXCEPTIONS = 100
#: So many breaks are made.
_ROUNDS = 30
#: Statements whose blocks begin one step further in, so that their own lines go further.
_WITH_BLOCKS = frozenset(["def", "class", "for", "while", "if", "elif", "with", "async"])
#: Brackets that hold less are not broken where others can be.
_SHORT = 10
#: Words before which a line may be broken in a bracket.
_JOINTS = frozenset(["for", "if", "else", "and", "or"])
#: Lines that stay long in files that break all others.
_UNBROKEN = re.compile(r"(?:import|from)\s|.*://")
_LINE_END = re.compile(r"\r\n?|\n")


class Habit(Enum):
    """How a file breaks its lines; the first where nothing shows it."""

    #: Behind the bracket, and before the closing one; what is between stands one step further in.
    CLOSED = "closed"
    #: Behind the bracket only.
    HANGING = "hanging"
    #: Behind a comma; the next line begins below what follows the bracket.
    ALIGNED = "aligned"


def wrapped(source: Source, edits: Sequence[Edit], indent: str) -> list[Edit]:
    """The edits, with line breaks where they make a line too long.

    `edits` are sorted and disjoint, `indent` is one step of the file's indentation. Too long is a
    line that is longer than the file's lines and than the line that it was, unless it was only
    moved. Blanks between tokens are replaced, and a comma may follow the last of a call's
    arguments; a line without a place for that stays long.
    """
    found = list(edits)
    text = apply_edits(source.text, found)
    if not _long_lines(source.text, found, text, _LIMIT):
        return found
    style = LineStyle.of(source)
    kept = {line.strip() for line in source.text.splitlines()}
    for _ in range(_ROUNDS):
        long = _long_lines(source.text, found, text, style.limit)
        line = next((line for line in long if line.code(text) not in kept), None)
        tokens = tokens_of(text) if line is not None else None
        if line is None or tokens is None:
            break
        breaks = _Breaker(text, line, style, indent, source.newline).breaks(tokens)
        made = _combined(found, breaks) if breaks else None
        if made is None:
            kept.add(line.code(text))
        else:
            found, text = made, apply_edits(source.text, made)
    return found


@dataclass(frozen=True)
class LineStyle:
    """How long a file's lines are at most, in columns, and how it breaks those that are longer."""

    limit: int
    habit: Habit

    @classmethod
    def of(cls, source: Source) -> LineStyle:
        """The style of a file; one of its lines in a hundred may be longer than the others."""
        counts = Counter(_habits(source.text))
        lines = (line for line in source.text.splitlines() if not _UNBROKEN.match(line))
        widths = sorted((_width(line) for line in lines), reverse=True)
        nearly = sum(_NEARLY <= width <= _WITH_END for width in widths)
        shows_it = counts.total() >= _ENOUGH or nearly >= _MANY
        usual = _LIMIT if shows_it else _USUAL_LIMIT
        exceptions = len(widths) // _EXCEPTIONS
        limit = max([usual, *widths[exceptions : exceptions + 1]])
        limit = _WITH_END if limit == _LIMIT and _WITH_END in widths else limit
        return cls(limit, max(Habit, key=lambda habit: counts[habit]))


def _habits(text: str) -> Iterator[Habit]:
    """How each bracket is broken that goes over several lines."""
    for token in tokens_of(text) or ():
        after, partner = token.after, token.partner
        if not token.opens or after is None or partner is None or partner.before is None:
            continue
        if not _has_break(text, token, partner):
            continue
        if not _has_break(text, token, after):
            yield Habit.ALIGNED
        elif _has_break(text, partner.before, partner):
            yield Habit.CLOSED
        else:
            yield Habit.HANGING


def _has_break(text: str, first: Token, last: Token) -> bool:
    return _LINE_END.search(text, first.end, last.start) is not None


@dataclass(frozen=True)
class _Line:
    """A line of a text, by its offsets."""

    start: int
    end: int

    def code(self, text: str) -> str:
        return text[self.start : self.end].strip()


def _width(line: str) -> int:
    return len(line.expandtabs())


def _long_lines(old: str, edits: Sequence[Edit], text: str, limit: int) -> list[_Line]:
    """The lines of `text`, made from `old` by the edits, that are too long and touched by one."""
    found = []
    shift = 0
    for edit in edits:
        start = edit.start + shift
        end = start + len(edit.text)
        shift += end - start - (edit.end - edit.start)
        was = [_width(old[line.start : line.end]) for line in _lines(old, edit.start, edit.end)]
        allowed = max(limit, was[0] if len(was) == 1 else 0)
        lines = _lines(text, start, end)
        found += [line for line in lines if _width(text[line.start : line.end]) > allowed]
    return list(dict.fromkeys(found))


def _lines(text: str, start: int, end: int) -> list[_Line]:
    """The lines that a stretch of a text touches."""
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    last = _LINE_END.search(text, end)
    stop = last.start() if last is not None else len(text)
    lines = []
    while True:
        found = _LINE_END.search(text, first, stop)
        lines.append(_Line(first, found.start() if found is not None else stop))
        if found is None:
            return lines
        first = found.end()


@dataclass(frozen=True)
class _Breaker:
    """Breaks one line of a text."""

    text: str
    line: _Line
    style: LineStyle
    step: str
    newline: str

    def breaks(self, tokens: Sequence[Token]) -> list[Edit]:
        """What is put in the place of blanks of the line; nothing where it cannot be broken."""
        start, end = self.line.start, self.line.end
        own = [token for token in tokens if start <= token.start and token.end <= end]
        if not own or self._width(own[-1].end) <= self.style.limit:
            return []
        if any(token.start < edge < token.end for token in tokens for edge in (start, end)):
            return []  # it begins or ends inside of a string
        depth = len(own[0].brackets)
        level = [token for token in own if len(token.brackets) == depth]
        found = (self._at_commas(level) if depth else []) or self._in_a_bracket(level)
        return [*found, *self._moved_along(found, tokens)]

    def _moved_along(self, breaks: Sequence[Edit], tokens: Sequence[Token]) -> list[Edit]:
        """New indentation for the lines aligned with what the last break moves."""
        made = [edit for edit in breaks if edit.text.startswith(self.newline)]
        if not made:
            return []
        last = made[-1]
        by = _width(last.text.removeprefix(self.newline)) - self._width(last.end)
        below = hanging(self.text, tokens, last.start - 1, self.line.end)
        return [indented(self.text, start, by) for start in below]

    def _at_commas(self, level: Sequence[Token]) -> list[Edit]:
        """Breaks between the things in a bracket that was opened on a line above."""
        bracket = level[0].brackets[-1]
        commas = [t for t in level if t.text == "," and self._goes_on(t, bracket)]
        if commas and self.style.habit is Habit.CLOSED and self._stands_alone(bracket, level):
            edits = [self._break(comma, self._indent) for comma in commas]
            last = level[-1] if bracket.partner is not level[-1] else level[-1].before
            if last is not None and last.text != "," and bracket.is_call:
                edits.append(Edit(last.end, last.end, ","))
            return edits
        words = [t.before for t in level[1:] if t.text in _JOINTS and t.before is not None]
        for places in (commas, words):
            fitting = [place for place in places if self._width(place.end) <= self.style.limit]
            if fitting:
                return [self._break(fitting[-1], self._indent)]
        return []

    def _in_a_bracket(self, level: Sequence[Token]) -> list[Edit]:
        """Breaks behind a bracket of this line, or between what it holds."""
        opening = [t for t in level if t.opens and self._goes_on(t, t)]
        fitting = [t for t in opening if self._width(t.end) <= self.style.limit]
        calls = [t for t in fitting if not (t.text == "[" and t.follows_value)]
        if not fitting:
            return []
        full = [t for t in calls if self._content(t) >= _SHORT]
        bracket = full[-1] if full else max(calls or fitting, key=self._content)
        if self.style.habit is Habit.ALIGNED and (found := self._aligned(bracket)) is not None:
            return [found]
        is_tight = len(self.step) == 2 or level[0].text in _WITH_BLOCKS
        steps = 2 if is_tight and self.style.habit is not Habit.CLOSED else 1
        edits = [self._break(bracket, self._indent + steps * self.step)]
        partner = bracket.partner
        if (
            self.style.habit is Habit.CLOSED
            and partner is not None
            and partner.end <= self.line.end
        ):
            assert partner.before is not None
            edits.append(self._break(partner.before, self._indent))
        return edits

    def _content(self, bracket: Token) -> int:
        """How much of the line a bracket's contents take."""
        assert bracket.partner is not None
        return min(bracket.partner.start, self.line.end) - bracket.end

    def _aligned(self, bracket: Token) -> Edit | None:
        """The break behind a bracket's last comma that leaves room for the rest of the line."""
        assert bracket.partner is not None
        column = self._width(bracket.end)
        rest = self._width(self.line.end)
        token, found = bracket.after, None
        while token is not None and token.end <= min(bracket.partner.start, self.line.end):
            is_own = len(token.brackets) == len(bracket.brackets) + 1
            if is_own and token.text == "," and self._goes_on(token, bracket):
                fits = self._width(token.end) <= self.style.limit
                if fits and column + rest - self._width(token.end) <= self.style.limit:
                    found = token
            token = token.after
        return self._break(found, " " * column) if found is not None else None

    def _goes_on(self, token: Token, bracket: Token) -> bool:
        """Whether more of a bracket's contents follows a token on this line."""
        after = token.after
        return after is not None and after is not bracket.partner and after.start < self.line.end

    def _stands_alone(self, bracket: Token, level: Sequence[Token]) -> bool:
        """Whether this line holds all that a bracket does, and not the bracket."""
        partner = bracket.partner
        return bracket.after is level[0] and partner is not None and partner.before is level[-1]

    def _break(self, token: Token, indent: str) -> Edit:
        """A line break behind a token of this line."""
        end = token.after.start if token.after is not None else token.end
        return Edit(token.end, end, self.newline + indent)

    @property
    def _indent(self) -> str:
        line = self.text[self.line.start : self.line.end]
        return line[: len(line) - len(line.lstrip(" \t\f"))]

    def _width(self, end: int) -> int:
        """How many columns of the line are taken up to an offset."""
        return _width(self.text[self.line.start : end])


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
        found.append(
            Edit(edit.start, edit.end, apply_edits(edit.text, [_moved(b, -start) for b in inside]))
        )
        pending = [b for b in pending if b not in inside]
        shift += len(edit.text) - (edit.end - edit.start)
    return [*found, *(_moved(b, -shift) for b in pending)]


def _moved(edit: Edit, by: int) -> Edit:
    return Edit(edit.start + by, edit.end + by, edit.text)
