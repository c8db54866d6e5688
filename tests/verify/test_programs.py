"""Rewrites of whole programs: those made by hand stand, mutants of them fall."""

from __future__ import annotations

import functools
from pathlib import Path

import pytest

from .conftest import Verify, is_refuted, outcomes
from .mutation import Mutant, mutants
from .snippets import SNIPPETS
from .test_snippets import SEEDED

TESTDATA = Path(__file__).parents[2] / "testdata"
HANDMADE = TESTDATA / "handmade"
PROGRAMS = ("mlp_inline", "mlp_main", "pinn", "policy_gradient", "word2vec")
RIGHT = [*PROGRAMS, "pinn_fused", "neural_ode", "gradient_accumulation"]
SEEDS = (1, 3)
EACH = 3

#: Mutants that compute the same, or whose difference the program shows nowhere.
SURVIVORS = {
    ("mlp_inline", 3, "repeat-update"): "an accuracy of the same batches, each counted twice",
    ("mlp_inline", 1, "flip-training"): "the model has no layer that trains differently",
}


def original(name: str) -> Path:
    return TESTDATA / "programs" / name.removesuffix("_fused") / "train.py"


@functools.cache
def mutants_of(name: str) -> list[Mutant]:
    text = (HANDMADE / f"{name}.py").read_text("utf-8")
    found = [mutant for seed in SEEDS for mutant in mutants(text, seed, EACH)]
    return list({mutant.text: mutant for mutant in reversed(found)}.values())[::-1]


MUTANTS = [(name, mutant) for name in PROGRAMS for mutant in mutants_of(name)]


@pytest.mark.parametrize("name", RIGHT)
def test_rewrite_by_hand_is_equivalent(name: str, verify: Verify) -> None:
    path = original(name)
    verdicts = verify(path.read_text("utf-8"), (HANDMADE / f"{name}.py").read_text("utf-8"), path)
    assert verdicts
    assert set(outcomes(verdicts).values()) == {"equivalent"}, [
        list(map(str, v.evidence)) for v in verdicts
    ]


@pytest.mark.parametrize(
    ("name", "mutant"), MUTANTS, ids=[f"{n}-{m.seed}-{m.operator}" for n, m in MUTANTS]
)
def test_mutant_is_refuted(name: str, mutant: Mutant, verify: Verify) -> None:
    path = original(name)
    verdicts = verify(path.read_text("utf-8"), mutant.text, path)
    expected = (name, mutant.seed, mutant.operator) not in SURVIVORS
    assert is_refuted(verdicts) is expected, [(v.outcome, v.reason, v.note) for v in verdicts]


def test_there_are_enough() -> None:
    seeded = len(MUTANTS) - len(SURVIVORS)
    by_hand = sum(len(snippet.wrong) for snippet in SNIPPETS.values())
    assert seeded + len(SEEDED) >= by_hand
    right = len(RIGHT) + sum(len(snippet.right) for snippet in SNIPPETS.values())
    assert seeded >= 20
    assert seeded + by_hand >= 40
    assert right >= 40
