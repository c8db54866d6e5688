"""The tokens of a text, with the brackets that are open around each of them."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass, field

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_SKIPPED = frozenset(
    [
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.COMMENT,
        tokenize.ENDMARKER,
    ]
)


@dataclass(eq=False)
class Token:
    """A token by its offsets, and the brackets that are open around it, outermost first."""

    text: str
    start: int
    end: int
    brackets: Sequence[Token] = field(default=(), repr=False)
    #: The other bracket, of a bracket.
    partner: Token | None = field(default=None, repr=False)
    before: Token | None = field(default=None, repr=False)
    after: Token | None = field(default=None, repr=False)

    @property
    def opens(self) -> bool:
        """Whether it is a bracket that opens, and holds something."""
        return self.partner is not None and self.text in _OPENING and self.after is not self.partner

    @property
    def is_call(self) -> bool:
        """Whether it opens the arguments of a call, or the parameters of a function."""
        return self.text == "(" and self.follows_value

    @property
    def follows_value(self) -> bool:
        """Whether it is a bracket directly behind a name or another bracket: a call, an index."""
        before = self.before
        is_value = before is not None and (before.text.isidentifier() or before.text in _CLOSING)
        return is_value and before is not None and before.end == self.start


def tokens_of(text: str) -> list[Token] | None:
    """The tokens of a module's text but for comments and line ends; None where it has none.

    What is inside of an f-string is left out: no line may be broken there.
    """
    lines = list(io.StringIO(text, newline=""))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    try:
        found = list(tokenize.generate_tokens(iter([*lines, ""]).__next__))
    except (tokenize.TokenError, SyntaxError):
        return None
    tokens: list[Token] = []
    strings = 0
    for info in found:
        name = tokenize.tok_name[info.type]
        strings -= name == "FSTRING_END"
        if info.type not in _SKIPPED and not strings:
            start, end = (starts[row - 1] + column for row, column in (info.start, info.end))
            tokens.append(Token(info.string, start, end))
        strings += name == "FSTRING_START"
    return tokens if _link(tokens) else None


def _link(tokens: Sequence[Token]) -> bool:
    """Tell tokens their neighbours and brackets; whether those fit together."""
    stack: list[Token] = []
    for before, token in zip([None, *tokens], tokens, strict=False):
        if before is not None:
            token.before, before.after = before, token
        if token.text in _CLOSING:
            if not stack:
                return False
            token.partner = stack.pop()
            token.partner.partner = token
        token.brackets = tuple(stack)
        if token.text in _OPENING:
            stack.append(token)
    return not stack
