"""Blank lines of moved code stay as they were."""

from __future__ import annotations

import pytest

from tfxla_lint.rewriting.blank_lines import with_blank_lines, with_same_blanks


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("  a\n  \n  b\n", "  a\n\n  b\n", "  a\n  \n  b\n"),
        ("for x in y:\n  a\n  \n  b\n", "def f():\n  a\n\n  b\n", "def f():\n  a\n  \n  b\n"),
        ("    a\n    \n    b\n", "  a\n\n  b\n", "  a\n\n  b\n"),
        ("  a\r\n\t\r\n  b\r\n", "  a\r\n\r\n  b\r\n", "  a\r\n\t\r\n  b\r\n"),
        ("  a\n\n  b\n", "  a\n  b\n", "  a\n  b\n"),
    ],
)
def test_blanks_stay_beside_code_that_stays(old: str, new: str, expected: str) -> None:
    assert with_same_blanks(old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("with t:\n  a\n\n", "a\n", "a\n\n"),
        ("with t:\n  a\n  \n\n", "a\n", "a\n  \n\n"),
        ("with t:\n  a\n\n", "a\n\n", "a\n\n"),
        ("a\n", "b\n\n", "b\n\n"),
        ("a\n\n", "b", "b"),
    ],
)
def test_blank_lines_at_the_end_stay(old: str, new: str, expected: str) -> None:
    assert with_blank_lines(old, new) == expected
