"""Collecting tests is quick, and what shares something slow is run by one process."""

from __future__ import annotations

import itertools

import pytest

from .conftest import COLLECTED

distribution = pytest.importorskip("tests.distribution", reason="pytest-xdist is not installed")

GALLERY = [f"tests/test_gallery.py::test_page[{n}]" for n in range(40)]
QUICK = [f"tests/test_quick.py::test_{n}" for n in range(40)]
RULES = [
    f"tests/rules/test_testdata.py::test_{what}[eager/a/{name}]"
    for what, name in (("findings", "x_bad"), ("findings", "y_bad"), ("fixes", "x_bad"))
]


@pytest.mark.parametrize("module", ["tensorflow", "mcp", "distributed"])
def test_collecting_imports_nothing_that_takes_long(
    request: pytest.FixtureRequest, module: str
) -> None:
    assert module not in request.config.stash[COLLECTED]


def test_what_shares_something_slow_stays_together() -> None:
    units = distribution.units([*GALLERY, *QUICK, *RULES])
    assert len({units[test] for test in GALLERY}) == 1
    assert units[RULES[0]] == units[RULES[2]] != units[RULES[1]]


def test_other_files_are_cut_into_parts_of_what_stands_together() -> None:
    units = distribution.units(QUICK)
    parts = [units[test] for test in QUICK]
    assert len(set(parts)) == distribution.PARTS
    assert sum(a != b for a, b in itertools.pairwise(parts)) == distribution.PARTS - 1


def test_what_stays_together_is_handed_out_first_and_small_parts_last() -> None:
    tests = [*RULES, *QUICK, *GALLERY]
    ordered = [tests[place] for place in distribution.in_order(tests)]
    assert sorted(ordered) == sorted(tests)
    assert ordered[: len(GALLERY)] == GALLERY
    assert ordered[-1] == RULES[1]
