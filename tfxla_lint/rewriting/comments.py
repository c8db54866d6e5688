"""The comments in Python text, complete or a fragment; and which of them an edit loses."""

from __future__ import annotations

import io
import tokenize
from collections import Counter
from collections.abc import Iterable, Iterator


def comments_in(text: str) -> list[tuple[int, int]]:
    """Where the comments of `text` stand, as offsets.

    `text` may be a stretch of a file, as long as it begins and ends outside of tokens.
    """
    if "#" not in text:
        return []
    # Inside of a bracket no indentation is checked, so a fragment may have any.
    lines = list(io.StringIO(f"({text}", newline=""))
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    return [
        (
            starts[token.start[0] - 1] + token.start[1] - 1,
            starts[token.end[0] - 1] + token.end[1] - 1,
        )
        for token in _tokens(lines)
        if token.type == tokenize.COMMENT
    ]


def _tokens(lines: list[str]) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(iter(lines).__next__)
    except (tokenize.TokenError, SyntaxError):
        # The bracket in front is never closed.
        return


def comment_texts(text: str) -> Counter[str]:
    """The comments of `text` and how often each of them stands there."""
    return Counter(text[start:end] for start, end in comments_in(text))


def missing(old: Iterable[str], new: Iterable[str]) -> list[str]:
    """The comments of `old` that `new` has not, or not as often."""
    return list((Counter(old) - Counter(new)).elements())
