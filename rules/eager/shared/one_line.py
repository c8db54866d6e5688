"""Code of an expression that stood on several lines, on one."""

from __future__ import annotations

import io
import itertools
import tokenize

_BETWEEN = frozenset({tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.ENDMARKER})


def one_line(code: str) -> str:
    """An expression, or arguments, without line ends, backslashes before them and comments.

    Raises:
        tokenize.TokenError: what is given is no such code.
    """
    lines = io.StringIO(f"({code}\n)").readline
    tokens = [token for token in tokenize.generate_tokens(lines) if token.type not in _BETWEEN]
    parts: list[str] = []
    for before, token in itertools.pairwise(tokens[:-1]):
        is_same = before.end[0] == token.start[0]
        blanks = token.start[1] - before.end[1] if is_same else 1
        parts += [" " * blanks, token.string]
    return "".join(parts).strip()
