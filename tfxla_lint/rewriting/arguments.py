"""Lowers the edits of a call's arguments, all those of one call together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import libcst as cst

from tfxla_lint.edits import InsertArgument, RemoveArgument
from tfxla_lint.findings import Edit
from tfxla_lint.rewriting.layout import Change, Layout, RewriteRefused


def lower_arguments(
    layout: Layout, call: cst.Call, edits: Sequence[InsertArgument | RemoveArgument]
) -> Iterator[Change]:
    """The text edits that add arguments at the end of `call` and take others out."""
    removed = {id(e.argument) for e in edits if isinstance(e, RemoveArgument)}
    if not removed <= {id(argument) for argument in call.args}:
        raise TypeError("the argument is not one of the call's")
    kept = [argument for argument in call.args if id(argument) not in removed]
    new = [a for e in edits if isinstance(e, InsertArgument) for a in parse_arguments(e.text)]
    _check_order(kept, new)
    work = _Call(layout, call)
    if not kept and call.args:
        yield work.replace_all(new)
        return
    for first, last in _runs(call.args, removed):
        yield work.remove(first, last)
    if new:
        yield from work.append(kept, new)


def parse_arguments(text: str) -> Sequence[cst.Arg]:
    """The arguments that a rule wrote as text."""
    try:
        call = cst.parse_expression(f"f({text.strip()})")
    except cst.ParserSyntaxError as error:
        raise TypeError(f"not an argument: {text}") from error
    if not isinstance(call, cst.Call) or not call.args:
        raise TypeError(f"not an argument: {text}")
    return call.args


def _check_order(kept: Sequence[cst.Arg], new: Sequence[cst.Arg]) -> None:
    names = {argument.keyword.value for argument in kept if argument.keyword is not None}
    for argument in new:
        if argument.keyword is not None:
            if argument.keyword.value in names:
                raise RewriteRefused(f"the call has an argument `{argument.keyword.value}`")
            names.add(argument.keyword.value)
        elif argument.star != "**" and any(_is_named(known, argument) for known in kept):
            raise RewriteRefused("a positional argument cannot follow those of the call")


def _is_named(known: cst.Arg, new: cst.Arg) -> bool:
    """Whether `known` is an argument that the positional `new` may not follow."""
    return known.star == "**" or (known.keyword is not None and not new.star)


def _runs(arguments: Sequence[cst.Arg], removed: set[int]) -> Iterator[tuple[int, int]]:
    """First and last index of each run of neighbours that go."""
    start: int | None = None
    for index, argument in enumerate(arguments):
        if id(argument) in removed:
            start = index if start is None else start
            if index + 1 == len(arguments) or id(arguments[index + 1]) not in removed:
                yield start, index
                start = None


class _Call:
    """The stretches of one call's text."""

    def __init__(self, layout: Layout, call: cst.Call) -> None:
        self._layout = layout
        self._call = call
        self._close = layout.syntactic(call)[1] - 1
        # Blanks and punctuation have no places of their own: those that are the same may be one node.
        self._open = layout.text.index("(", layout.whole(call.func)[1]) + 1
        self._places = [layout.syntactic(argument) for argument in call.args]

    # Removal

    def remove(self, first: int, last: int) -> Change:
        """Takes the arguments from `first` to `last` out, with the commas that they need."""
        layout = self._layout
        start, end = self._places[first][0], self._places[last][1]
        is_last = last + 1 == len(self._places)
        following = self._close if is_last else self._places[last + 1][0]
        stretches = [(start, following)]
        if first > 0:
            # The comma before them goes; behind a comment of its line, that after them.
            stretches.insert(0, (self._places[first - 1][1], end))
        stretch = next((s for s in stretches if not layout.has_comment(*s)), None)
        behind = layout.text[end:following].splitlines()[:1]
        if stretch is None or layout.has_comment(end, end + len("".join(behind))):
            raise RewriteRefused("a comment beside the argument would be lost")
        return Change(Edit(*stretch, ""))

    def replace_all(self, new: Sequence[cst.Arg]) -> Change:
        """Nothing, or the new arguments, in the place of all that stands in the parentheses."""
        if self._layout.has_comment(self._open, self._close):
            raise RewriteRefused("a comment inside of the call would be lost")
        return Change(Edit(self._open, self._close, self._joined(new)))

    # Insertion

    def append(self, kept: Sequence[cst.Arg], new: Sequence[cst.Arg]) -> Iterator[Change]:
        """Puts `new` behind the last argument that stays, or on lines below its comment."""
        if not kept:
            yield self.replace_all(new)
            return
        last = kept[-1]
        start, end = self._layout.syntactic(last)
        if isinstance(last.value, cst.GeneratorExp) and not last.value.lpar:
            yield Change(Edit(start, start, "("))
            yield Change(Edit(end, end, f"), {self._joined(new)}"))
            return
        newline, indent = self._layout.newline, self._layout.indent_at(start)
        is_first = self._layout.is_first_on_line(start)
        separator = f",{newline}{indent}" if is_first else ", "
        is_above = self._layout.has_comment(end, self._close) and last is self._call.args[-1]
        if is_above and self._layout.is_first_on_line(self._close):
            line = self._layout.line_start(self._close)
            if not isinstance(last.comma, cst.Comma):
                yield Change(Edit(end, end, ","))
            yield Change(Edit(line, line, f"{indent}{self._joined(new, separator)},{newline}"))
        else:
            yield Change(Edit(end, end, separator + self._joined(new, separator)))

    def _joined(self, new: Sequence[cst.Arg], separator: str = ", ") -> str:
        indent = self._layout.indent_at(self._layout.syntactic(self._call)[0])
        return separator.join(self._code(argument, indent) for argument in new)

    def _code(self, argument: cst.Arg, indent: str) -> str:
        bare = argument.with_changes(
            comma=cst.MaybeSentinel.DEFAULT, whitespace_after_arg=cst.SimpleWhitespace("")
        )
        code = self._layout.code([bare], indent)
        is_bare = isinstance(argument.value, cst.GeneratorExp) and not argument.value.lpar
        return f"({code})" if is_bare else code
