"""Further lists of numbers, and of rows, beside those that a project passes."""

from __future__ import annotations

import itertools
from typing import Any, Iterator, List, Mapping, Sequence, Tuple

from tfxla_lint.verify.worker.guessing import Choice
from tfxla_lint.verify.worker.values import Spec

#: So many rows more lists of rows get, and how large their numbers are beside known ones.
_OF_ROWS = (1.5, 0.5, 1.25)
_LISTS = ("list", "tuple")


def renumbered_choices(choice: Choice) -> Iterator[Choice]:
    """Choices with other numbers in a list of known ones: twice as large, every other one below zero, or none.

    What is in order, or of a length, is still so in one of them. Lists of rows have them in another
    order, too, so that what came in a row comes and goes.
    """
    for name, spec in choice.items():
        rows = _rows_of(spec)
        if len(rows) > 1:
            turns = -(-len(rows) // 2)
            # Of two the second comes first.
            places = (
                sorted(range(len(rows)), key=lambda place: place % turns) if turns > 1 else [1, 0]
            )
            yield {**choice, name: {**spec, "parts": [rows[place] for place in places]}}
        for factors in ((2, 2), (1, -1), (0, 0)):
            other = _renumbered(spec, factors)
            if other != spec:
                yield {**choice, name: other}


def longer_lists(choice: Choice, turns: int = 0) -> Iterator[Choice]:
    """Choices with more rows in lists of rows, and with more numbers in lists beside them that are as long.

    Where a project passes a row or two there may be any number of them. Their numbers are like those that
    are known; with `turns` each column has those of another one, and some are below zero.
    """
    found = {name: len(_rows_of(spec)) for name, spec in choice.items()}
    for count in dict.fromkeys(filter(None, found.values())):
        # What is square may hold a number for each pair of things.
        if not any(_is_square(spec) for name, spec in choice.items() if found[name] == count):
            yield {name: _with_more(spec, count, turns) for name, spec in choice.items()}


def _rows_of(spec: Spec) -> List[Spec]:
    """The rows of a list of rows; none of anything else."""
    rows: List[Spec] = list(spec["parts"]) if spec["k"] in _LISTS else []
    return rows if all(row["k"] in _LISTS for row in rows) else []


def _is_square(spec: Spec) -> bool:
    rows = _rows_of(spec)
    return len(rows) > 1 and all(len(row["parts"]) == len(rows) for row in rows)


def _with_more(spec: Spec, count: int, turns: int) -> Spec:
    """A list of so many rows, or numbers, with a few more."""
    parts = spec["parts"] if spec["k"] in _LISTS else ()
    if len(parts) != count:
        return spec
    rows = enumerate(_OF_ROWS, 1) if _rows_of(spec) else ()
    more = [_moved(parts[n % count], by, turns * n) for n, by in rows]
    return {**spec, "parts": [*parts, *(more or _going_on(parts))]}


def _moved(spec: Spec, factor: float, turns: int) -> Spec:
    """A row with its floats so many times as large, and in other places."""
    if spec["k"] not in _LISTS:
        is_known = spec["k"] == "float" and spec.get("value") is not None
        return {**spec, "value": spec["value"] * factor} if is_known else spec
    parts = spec["parts"]
    places = range(len(parts))
    signs = [-1.0 if turns and place % 2 else 1.0 for place in places]
    moved = [_moved(parts[n - turns % len(parts)], signs[n] * factor, turns) for n in places]
    return {**spec, "parts": moved}


def _going_on(parts: Sequence[Spec]) -> List[Spec]:
    """More of the parts of a list: the first ones again, or what comes next where numbers go up."""
    more = list(itertools.islice(itertools.cycle(parts), len(_OF_ROWS)))
    values: List[Any] = [part.get("value") for part in parts]
    are_numbers = all(type(value) in (int, float) for value in values)
    if len(values) < 2 or not are_numbers or values != sorted(set(values)):
        return more
    step = values[-1] - values[-2]
    return [{**part, "value": values[-1] + n * step} for n, part in enumerate(more, 1)]


def documented_choice(choice: Choice, parameters: Sequence[Mapping[str, Any]]) -> Choice:
    """The choice with arrays of the shapes that docstrings tell in the place of lists of rows."""
    told = {p["name"]: p["documented"] for p in parameters if p.get("documented")}
    return {
        name: {"k": "tensor", **_range_of(spec), **told[name]}
        if _rows_of(spec) and name in told and _range_of(spec)
        else spec
        for name, spec in choice.items()
    }


def is_of_floats(spec: Spec) -> bool:
    """Whether all numbers in a list, or in its rows, are floats."""
    return _range_of(spec).get("dtype") == "float32"


def _range_of(spec: Spec) -> Spec:
    """Of which kind the numbers of a list of rows are, and between which; nothing where they are of several."""
    parts = [spec]
    while parts and all(part["k"] in _LISTS for part in parts):
        parts = [inner for part in parts for inner in part["parts"]]
    kinds = {part["k"] for part in parts}
    values: List[Any] = [part.get("value") for part in parts]
    if kinds not in ({"float"}, {"int"}) or None in values:
        return {}
    dtype = "float32" if kinds == {"float"} else "int32"
    return {"dtype": dtype, "low": min(values), "high": max(max(values), min(values) + 1)}


def _renumbered(spec: Spec, factors: Tuple[int, int]) -> Spec:
    """A list with its numbers, of which there are several, so many times as large, in turn."""
    parts = spec.get("parts")
    if spec["k"] not in ("list", "tuple") or not parts:
        return spec
    kinds = {(part["k"], type(part.get("value"))) for part in parts}
    if len(parts) > 1 and kinds in ({("float", float)}, {("int", int)}):
        turns = zip(parts, itertools.cycle(factors))
        return {**spec, "parts": [{**p, "value": p["value"] * f} for p, f in turns]}
    return {**spec, "parts": [_renumbered(part, factors) for part in parts]}
