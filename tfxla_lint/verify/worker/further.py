"""Further arguments beside those that a search found: other numbers, one more dimension."""

from __future__ import annotations

from typing import Any, Dict, Iterator, Sequence

Choice = Dict[str, Dict[str, Any]]

#: Constants beyond this make poor numbers of turns.
_LARGEST = 64
_EACH = 8


def further_choices(choice: Choice, constants: Sequence[int]) -> Iterator[Choice]:
    """Choices that take other ways through the code, where the original accepts them."""
    yield _wider(choice)
    near = [c + step for c in constants if abs(c) <= _LARGEST for step in (0, 1, -1)]
    for name, spec in choice.items():
        if spec["k"] not in ("int", "float"):
            continue
        for value in list(dict.fromkeys([-1, *near]))[:_EACH]:
            yield {**choice, name: {**spec, "value": value, "fixed": True}}


def _wider(choice: Choice) -> Choice:
    """The choice with one dimension more in each tensor that has at least two."""
    return {
        name: {**spec, "shape": [spec["shape"][0], 2, *spec["shape"][1:]]}
        if spec["k"] in ("tensor", "numpy") and len(spec["shape"]) > 1
        else spec
        for name, spec in choice.items()
    }
