"""Compares what two runs printed: numbers nearly, all else exactly."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import zip_longest

#: How far two numbers with a fraction may be apart, relative to the larger and near zero.
RTOL = 1e-4
ATOL = 1e-5
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?(?![\w])", re.IGNORECASE)
_SPACE = re.compile(r"\s+")


def first_difference(before: str, after: str) -> tuple[str, str] | None:
    """The first line that differs, of both; None where all agree."""
    for a, b in zip_longest(_lines(before), _lines(after), fillvalue="(no line)"):
        if not same_line(a, b):
            return a, b
    return None


def _lines(text: str) -> Iterator[str]:
    """The lines, those of one array as one: where NumPy breaks them hangs on the last digits."""
    open_ones: list[str] = []
    for line in text.splitlines():
        open_ones.append(line)
        whole = " ".join(open_ones)
        if whole.count("[") <= whole.count("]"):
            yield whole
            open_ones = []
    yield from open_ones


def same_line(a: str, b: str) -> bool:
    """Whether two lines agree: whole numbers and text exactly, others up to `RTOL`."""
    if a == b:
        return True
    # NumPy pads columns to the longest number.
    texts = [_SPACE.sub("", _NUMBER.sub("#", line)) for line in (a, b)]
    numbers = [_NUMBER.findall(line) for line in (a, b)]
    if texts[0] != texts[1] or len(numbers[0]) != len(numbers[1]):
        return False
    return all(_same_number(x, y) for x, y in zip(*numbers, strict=True))


def _same_number(a: str, b: str) -> bool:
    if a == b:
        return True
    if not all(set(text.lower()) & {".", "e"} for text in (a, b)):
        return False
    return math.isclose(float(a), float(b), rel_tol=RTOL, abs_tol=ATOL)
