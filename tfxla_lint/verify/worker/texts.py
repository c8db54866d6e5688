"""Compares what code prints: numbers may differ in the last digit, and tf.print writes elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from typing import Iterator, List, Tuple

# What TensorFlow's C++ side writes, whatever the program does.
_NOISE = re.compile(r"[IWEF]\d{4} |\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] |WARNING: All log m")
# A line of Keras' progress bar: it shows timings.
_PROGRESS = re.compile(r"(?:\x1b\[\d+m)*\d+/\d+.*\d[mu]?s/(?:step|epoch)")
_NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?(?![\w])", re.IGNORECASE)
#: `print(tensor)` names shape and dtype, `tf.print(tensor)` does not.
_TENSOR = re.compile(
    r"tf\.Tensor\((?P<a>.*?), shape=\([\d, ]*\), dtype=\w+\)"
    r"|<tf\.Tensor: shape=\([\d, ]*\), dtype=\w+, numpy=(?P<b>.*?)>"
)

RTOL = 1e-4
#: So much of the largest number in a line the others may differ by.
ATOL = 1e-6


def shown_lines(text: str) -> List[str]:
    """The lines that the program itself wrote."""
    lines = text.replace("\r", "").splitlines()
    return [line for line in lines if not _NOISE.match(line) and not _PROGRESS.match(line)]


Line = Tuple[str, str, str]


def output_differences(before: Tuple[str, str], after: Tuple[str, str]) -> List[Line]:
    """Where two pairs of (standard output, standard error) differ: (place, before, after).

    Lines that moved from one stream to the other, as `tf.print` in the place of `print` makes
    them, are no difference.
    """
    streams = [(shown_lines(a), shown_lines(b)) for a, b in zip(before, after)]
    found = [
        line
        for name, (a, b) in zip(("stdout", "stderr"), streams)
        for line in _in_order(name, a, b)
    ]
    counts = [len(a) != len(b) for a, b in streams]
    if all(counts) and _same_lines(streams[0][0] + streams[1][0], streams[0][1] + streams[1][1]):
        return []
    return found


def line_differences(name: str, before: str, after: str) -> List[Line]:
    """Where two texts differ line by line."""
    return list(_in_order(name, shown_lines(before), shown_lines(after)))


def _in_order(stream: str, a: List[str], b: List[str]) -> Iterator[Line]:
    for i, (x, y) in enumerate(zip(a, b)):
        if not same_text(x, y):
            yield f"{stream} line {i + 1}", x, y
    if len(a) != len(b):
        shorter = min(len(a), len(b))
        lines = [side[shorter] if len(side) > shorter else "no such line" for side in (a, b)]
        yield f"{stream} line {shorter + 1}", lines[0], lines[1]


def _same_lines(a: List[str], b: List[str]) -> bool:
    left, right = Counter(map(_plain, a)), Counter(map(_plain, b))
    unmatched = list((right - left).elements())
    for line in (left - right).elements():
        twin = next((other for other in unmatched if same_text(line, other, loose=True)), None)
        if twin is None:
            return False
        unmatched.remove(twin)
    return not unmatched


def same_text(a: str, b: str, loose: bool = False, rtol: float = RTOL) -> bool:
    """Whether two lines agree, numbers printed with a fraction up to one unit in the last place."""
    if a == b:
        return True
    if _squeezed(_NUMBER.sub("#", a)) != _squeezed(_NUMBER.sub("#", b)):
        return False
    pairs = list(zip(_NUMBER.findall(a), _NUMBER.findall(b)))
    # What is left of a difference is exact to what it was taken of.
    largest = max((abs(float(x)) for pair in pairs for x in pair if _is_fraction(x)), default=0.0)
    atol = ATOL * min(largest, 1.0)
    return all(_same_number(x, y, loose, rtol, atol) for x, y in pairs)


def _plain(line: str) -> str:
    return _TENSOR.sub(lambda found: found["a"] or found["b"] or "", line)


def _squeezed(text: str) -> str:
    """Arrays are padded to the widest element, which may differ by a digit."""
    return re.sub(r"\s+", " ", text).replace("[ ", "[").strip()


def _is_fraction(number: str) -> bool:
    return bool(set(number.lower()) & {".", "e"})


def _same_number(a: str, b: str, loose: bool, rtol: float, atol: float) -> bool:
    if a == b:
        return True
    if not loose and not (_is_fraction(a) and _is_fraction(b)):
        return False
    x, y = float(a), float(b)
    unit = max(_last_place(a), _last_place(b))
    return abs(x - y) <= 1.01 * unit + rtol * max(abs(x), abs(y)) + atol


def _last_place(number: str) -> float:
    mantissa, _, exponent = number.lower().partition("e")
    digits = len(mantissa.partition(".")[2])
    return float(10.0 ** (int(exponent or 0) - digits)) if digits else 0.0
