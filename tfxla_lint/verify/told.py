"""What the lines of a docstring about one parameter say of its values: an example, the least number, ragged rows.

These are the ways of Google, NumPy and of plain prose: `n: int >= 1`, `hop (int): e.g. 8`, `boxes : [n, 4]`.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_END = re.compile(r"\n[ \t]*\n|\b(?:Returns?|Raises|Yields)\b")
#: What follows is no parameter.
_RESULTS = re.compile(r"^[ \t]*(?:Returns?|Yields|Raises)[ \t]*:?[ \t]*$", re.MULTILINE)
_EXAMPLE = re.compile(r"\be\.\s?g\.?,?\s+|\bfor example,?\s+", re.IGNORECASE)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE]-?\d+)?\b")
_LEAST = re.compile(r"(>=|≥|>|\bat least|\bnot less than)\s*(-?\d+)\b(?!\.\d)")
#: Between which numbers one lies: "strictly between 0 and 1", "in (0, 1]".
_BETWEEN = re.compile(
    r"\b(strictly )?(?:between|in|within|from)\s*(?:the range\s*)?([\[(]?)\s*(-?\d+(?:\.\d+)?)\s*(?:,|and|to)\s*(-?\d+(?:\.\d+)?)\s*([\])]?)"
)
#: So much of a range its open ends keep away from.
_OPEN = 1e-3
_INT = re.compile(r"\b(?:int|integer)\b(?! tensor| array|s|\d)")
_RAGGED = re.compile(r"\bragged\b", re.IGNORECASE)
_STRINGS = re.compile(r"\b(?:strings?|texts?|tokens?|words?)\b")
_TOKENS = re.compile(r"\b(?:tokens?|words?)\b")
_WHOLE = re.compile(r"\b(?:ints?|int32|int64|ids?|integers?)\b")
#: The names of the numbers of a row: "rows [x1, y1, x2, y2]".
_NAMED = re.compile(r"[\[(]\s*([A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)+)\s*[\])]")
_ABOVE = re.compile(r"\b([A-Za-z]\w*)\s*(>=?|<=?)\s*([A-Za-z]\w*)\b")
_QUOTED = re.compile(r"""["'`]+([A-Za-z]\w*)["'`]+""")
#: That a whole number is odd or even.
_PARITY = re.compile(
    r"\b(odd|even)\s+(?:numbers?|integers?|ints?|sizes?|lengths?|windows?|counts?)\b|\b(?:is|be) (odd|even)\b"
)
#: How many times another parameter something is long: "at least two periods long".
_TIMES = re.compile(
    r"\b[Aa]t least\s+(?:([2-9])|(one)|(two)|(three)|(four)|(?:an?))?\s*`{0,2}([a-z]\w*)`{0,2}(?:\s+(?:long|wide))?"
)
_BELOW = re.compile(r"`{0,2}\b([a-z]\w*)`{0,2}\s*(<=?)\s*`{0,2}([a-z]\w*)\b")
#: The same the other way round: "[n, 3] with n > k".
_SIZE_ABOVE = re.compile(r"`{0,2}\b([a-z]\w*)`{0,2}\s*(>=?)\s*`{0,2}([a-z]\w*)\b")
#: Examples have so few members.
_FEW = 8
_BRACKETS = ("()", "[]")


def told_values(texts: Iterable[str], names: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What docstrings say of the values of parameters, by name; the first that says anything of one holds.

    `example` is a number or a list or tuple of numbers that is given as one, `minimum` the least number of a
    whole one, `between` the least and the largest of any, `words` those that it may be, `ragged` the dtype of what has rows of several lengths,
    and `tokens` that its members are words.
    """
    names = list(names)
    found: dict[str, dict[str, Any]] = {}
    for text in texts:
        for name, piece in _pieces(text, names):
            said = dict(_said(piece))
            if said and name not in found:
                found[name] = said
    return found


def told_limits(
    text: str, names: Iterable[str], dimensions: Mapping[str, list[str]]
) -> dict[str, dict[str, Any]]:
    """What a docstring says that numbers, and sizes, are not, by the names of parameters.

    `parity` is 1 of odd numbers and 0 of even ones; `times` says of an array that its first dimension is so
    many times as large as a parameter, at least; `below` that a number is below, or not above, a size of an
    array. `dimensions` are the names of the dimensions of arrays.
    """
    names = list(names)
    found: dict[str, dict[str, Any]] = {}
    for name, piece in _pieces(text, names):
        parity = _PARITY.search(piece)
        if parity is not None:
            found.setdefault(name, {})["parity"] = int("odd" in parity.groups())
        for digit, *words, other in _TIMES.findall(piece):
            known = next((n for n in (other, other.removesuffix("s")) if n in names), None)
            if known is not None and known != name and len(dimensions.get(name, ())) == 1:
                counted = next((count for count, word in enumerate(words, 1) if word), 1)
                times = int(digit) if digit else counted
                found.setdefault(name, {})["times"] = [known, times]
    places = {
        part: (owner, axis)
        for owner, parts in dimensions.items()
        for axis, part in enumerate(parts)
    }
    turned = ((name, how.replace(">", "<"), size) for size, how, name in _SIZE_ABOVE.findall(text))
    for name, how, size in (*_BELOW.findall(text), *turned):
        if name in names and name not in dimensions and size in places:
            below = [*places[size], how == "<"]
            found.setdefault(name, {}).setdefault("below", below)
    return found


def ordered_columns(texts: Iterable[str]) -> dict[int, list[tuple[int, int]]]:
    """Which numbers of rows are below which others, by how many there are in a row, where a docstring names them:
    "rows [x1, y1, x2, y2] with x2 > x1".
    """
    found: dict[int, list[tuple[int, int]]] = {}
    for text in texts:
        for match in _NAMED.finditer(text):
            names = [name.strip() for name in match.group(1).split(",")]
            pairs = []
            for left, how, right in _ABOVE.findall(text):
                if left in names and right in names and left != right:
                    low, high = (right, left) if how[0] == ">" else (left, right)
                    pairs.append((names.index(low), names.index(high)))
            if pairs:
                found.setdefault(len(names), list(dict.fromkeys(pairs)))
    return found


def _pieces(text: str, names: list[str]) -> Iterator[tuple[str, str]]:
    """What is said of each parameter: from its name and a colon to the next, or the end of the paragraph."""
    every = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    if not every:
        return
    starts = re.compile(
        rf"(?:^|(?<=[.;])|\n)[ \t]*(?:[-*:]\s*)?(?:param )?`{{0,2}}({every})`{{0,2}}\s*(\([^)\n]*\))?\s*:"
    )
    of_results = _RESULTS.search(text)
    text = text[: of_results.start()] if of_results is not None else text
    matches = list(starts.finditer(text))
    ends = [match.start() for match in matches[1:]]
    for match, end in zip(matches, [*ends, len(text)], strict=False):
        piece = text[match.end() : end]
        stop = _END.search(piece)
        yield match.group(1), f"{match.group(2) or ''} {piece[: stop.start()] if stop else piece}"


def _said(piece: str) -> Iterator[tuple[str, Any]]:
    example = _example(piece)
    if example is not None:
        yield "example", example
    least = _LEAST.search(piece)
    if least is not None and (_INT.search(piece) or type(example) is int):
        yield "minimum", int(least.group(2)) + (least.group(1) == ">")
    between = _between(piece)
    if between is not None:
        yield "between", between
    words = _words(piece)
    if words:
        yield "words", words
    if _RAGGED.search(piece):
        dtype = "string" if _STRINGS.search(piece) else "float32"
        yield "ragged", "int32" if dtype != "string" and _WHOLE.search(piece) else dtype
        if _TOKENS.search(piece):
            yield "tokens", True


def _between(piece: str) -> tuple[float, float] | None:
    """Between which numbers one lies, of which open ends are none."""
    match = _BETWEEN.search(piece)
    if match is None:
        return None
    strictly, opening, low, high, closing = match.groups()
    least, most = float(low), float(high)
    apart = _OPEN * (most - least)
    least += apart if strictly or opening == "(" else 0.0
    most -= apart if strictly or (opening and closing == ")") else 0.0
    return (least, most) if least < most else None


def _words(piece: str) -> list[str]:
    """The words that are written out, where there are several: `"sum", "mean" or "max"`."""
    found = list(dict.fromkeys(_QUOTED.findall(piece)))
    return found if len(found) > 1 else []


def _example(piece: str) -> Any:
    """The number, or the few of them in brackets, that stand behind "e.g."; None where nothing of that kind does."""
    match = _EXAMPLE.search(piece)
    if match is None:
        return None
    rest = piece[match.end() :]
    closing = next((pair[1] for pair in _BRACKETS if rest[:1] == pair[0]), "")
    if closing and closing in rest:
        literal = rest[: rest.index(closing) + 1]
    else:
        number = _NUMBER.match(rest)
        literal = number.group() if number is not None else ""
    try:
        value = ast.literal_eval(literal)
    except (ValueError, SyntaxError):
        return None
    numbers = value if isinstance(value, (list, tuple)) else [value]
    is_plain = 0 < len(numbers) <= _FEW and all(type(n) in (int, float) for n in numbers)
    return value if is_plain else None
