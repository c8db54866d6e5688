"""Right rewrites of small modules are not refuted; wrong ones are, each of them."""

from __future__ import annotations

import dataclasses

import pytest

from .conftest import Verify, is_refuted, outcomes
from .mutation import Mutant, mutants
from .snippets import SNIPPETS, edited

RIGHT = [(name, how) for name, snippet in SNIPPETS.items() for how in snippet.right]
WRONG = [(name, how) for name, snippet in SNIPPETS.items() for how in snippet.wrong]


#: Rewrites that mutants are made of.
BASES = {
    "step": ["decorated"],
    "normalise": ["decorated"],
    "globals": ["decorated dropout"],
    "agent": ["counter in a variable"],
    "split": ["one assignment"],
    "scan": ["tf.scan", "vectorised gaps"],
    "loop": ["hoisted"],
    "made": ["made function"],
    "structures": [f"decorated {n}" for n in ("outputs", "ragged", "sparse", "select", "logs")],
}
#: Mutants that compute the same.
SURVIVORS = {
    ("structures", 1, "other-reduction"): "a mean is positive where the sum is",
    ("loop", 2, "swap-operands"): "the square of a difference either way round",
}


def seeded() -> list[tuple[str, Mutant]]:
    found: dict[str, tuple[str, Mutant]] = {}
    for name, bases in BASES.items():
        snippet = SNIPPETS[name]
        text = edited(snippet.text, tuple(edit for how in bases for edit in snippet.right[how]))
        for seed in (1, 2, 3):
            for mutant in mutants(text, seed, 3):
                found.setdefault(mutant.text, (name, mutant))
    return list(found.values())


SEEDED = seeded()


@pytest.mark.parametrize(("name", "how"), RIGHT, ids=lambda text: text)
def test_right_rewrite_is_equivalent(name: str, how: str, verify_of_many: Verify) -> None:
    snippet = SNIPPETS[name]
    verdicts = verify_of_many(snippet.text, edited(snippet.text, snippet.right[how]))
    assert verdicts
    assert set(outcomes(verdicts).values()) == {"equivalent"}, [
        (v.reason, *map(str, v.evidence)) for v in verdicts
    ]


@pytest.mark.parametrize(("name", "how"), WRONG, ids=lambda text: text)
def test_wrong_rewrite_is_refuted(name: str, how: str, verify_of_many: Verify) -> None:
    snippet = SNIPPETS[name]
    verdicts = verify_of_many(snippet.text, edited(snippet.text, snippet.wrong[how]))
    assert is_refuted(verdicts), [(v.outcome, v.reason, v.error) for v in verdicts]


@pytest.mark.parametrize(
    ("name", "mutant"), SEEDED, ids=[f"{n}-{m.seed}-{m.operator}" for n, m in SEEDED]
)
def test_mutant_is_refuted(name: str, mutant: Mutant, verify_of_many: Verify) -> None:
    verdicts = verify_of_many(SNIPPETS[name].text, mutant.text)
    expected = (name, mutant.seed, mutant.operator) not in SURVIVORS
    assert is_refuted(verdicts) is expected, [
        (v.unit, v.outcome, v.reason, v.note) for v in verdicts
    ]


def test_what_is_kept_of_an_original_changes_no_verdict(
    verify: Verify, verify_of_many: Verify
) -> None:
    snippet = SNIPPETS["normalise"]
    edits = [*list(snippet.wrong.values())[:2], *list(snippet.right.values())[:1]]
    texts = [edited(snippet.text, edit) for edit in (*edits, edits[0])]
    kept, plain = (
        [[dataclasses.replace(v, path="", seconds=0.0) for v in by(snippet.text, t)] for t in texts]
        for by in (verify_of_many, verify)
    )
    assert kept == plain
    assert [is_refuted(verdicts) for verdicts in kept] == [True, True, False, True]


def test_there_are_enough() -> None:
    assert len(RIGHT) >= 40
    assert len(WRONG) >= 40
