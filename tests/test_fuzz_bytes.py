"""A short draw of odd bytes for each thing that reads files."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from tools.fuzz.mutation import fuzz, mutated
from tools.fuzz.targets import Fuzzed, targets


@pytest.fixture(scope="module")
def known() -> Iterator[dict[str, Fuzzed]]:
    with targets() as found:
        yield found


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("source", 300), ("suppressions", 40), ("settings", 20), ("notebook", 40), ("baseline", 100),
        ("profile", 20), ("cache", 40), ("lint", 5),
    ],
)  # fmt: skip
def test_no_bytes_are_too_odd(known: dict[str, Fuzzed], name: str, count: int) -> None:
    target, dice = known[name], random.Random(name)
    pool = target.seeds[:10]
    for data in [*pool, *(mutated(pool, target.words, dice) for _ in range(count))]:
        target.run(data)


def test_each_target_has_its_draw(known: dict[str, Fuzzed]) -> None:
    drawn = {
        "source",
        "suppressions",
        "settings",
        "notebook",
        "baseline",
        "profile",
        "cache",
        "lint",
    }
    assert set(known) == drawn


def test_what_reaches_new_lines_is_mutated_further() -> None:
    """Three bytes in a row are not found by chance: each of them is a step on the way."""
    dice, words = random.Random(0), [b"t", b"f", b"x"]
    outcome = fuzz("guarded", guarded, [b""], words, dice, 20.0, "test_fuzz_bytes", enough=1)
    (fault,) = outcome.faults.values()
    assert fault[0].startswith(b"tfx")
    assert "RuntimeError: found" in fault[1]
    assert outcome.kept >= 2


def guarded(data: bytes) -> None:
    if data[:1] == b"t":
        word = "a step"
        if data[1:2] == b"f":
            word = "another one"
            if data[2:3] == b"x":
                raise RuntimeError("found")
        assert word
