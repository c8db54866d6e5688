"""Right rewrites of small modules are not refuted; wrong ones are, each of them."""

from __future__ import annotations

import pytest

from .conftest import Verify, is_refuted, outcomes
from .snippets import SNIPPETS, edited

RIGHT = [(name, how) for name, snippet in SNIPPETS.items() for how in snippet.right]
WRONG = [(name, how) for name, snippet in SNIPPETS.items() for how in snippet.wrong]


@pytest.mark.parametrize(("name", "how"), RIGHT, ids=lambda text: text)
def test_right_rewrite_is_equivalent(name: str, how: str, verify: Verify) -> None:
    snippet = SNIPPETS[name]
    verdicts = verify(snippet.text, edited(snippet.text, snippet.right[how]))
    assert verdicts
    assert set(outcomes(verdicts).values()) == {"equivalent"}, [
        (v.reason, *map(str, v.evidence)) for v in verdicts
    ]


@pytest.mark.parametrize(("name", "how"), WRONG, ids=lambda text: text)
def test_wrong_rewrite_is_refuted(name: str, how: str, verify: Verify) -> None:
    snippet = SNIPPETS[name]
    verdicts = verify(snippet.text, edited(snippet.text, snippet.wrong[how]))
    assert is_refuted(verdicts), [(v.outcome, v.reason, v.error) for v in verdicts]


def test_there_are_enough() -> None:
    assert len(RIGHT) >= 20
    assert len(WRONG) >= 30
