"""The quick parse gives what LibCST's gives, and leaves LibCST as it was."""

from __future__ import annotations

import libcst as cst
import pytest

from tests.semantics.test_trees import EVERYTHING
from tfxla_lint.semantics.parsing import parsed


def test_a_quick_parse_gives_the_same_tree() -> None:
    tree = parsed(EVERYTHING)
    assert tree.deep_equals(cst.parse_module(EVERYTHING))
    assert tree.code == EVERYTHING


def test_blanks_that_are_the_same_are_one() -> None:
    first, second = parsed("f(a, b)\ng(c, d)\n").body
    assert first is not second
    assert first.trailing_whitespace is second.trailing_whitespace  # type: ignore[union-attr]


@pytest.mark.parametrize("code", ["x = 1\n", "def\n"])
def test_nodes_are_checked_again_after_a_parse(code: str) -> None:
    if code.startswith("x"):
        parsed(code)
    else:
        with pytest.raises(cst.ParserSyntaxError):
            parsed(code)
    with pytest.raises(cst.CSTValidationError):
        cst.Name("")
    assert cst.Name("x", [], []).lpar == []
    assert cst.SimpleWhitespace(" ") is not cst.SimpleWhitespace(" ")
