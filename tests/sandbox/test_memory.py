"""How much memory something is said to take."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from tfxla_lint.sandbox.inside.memory import growing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")


def test_what_is_held_for_a_while_counts_and_what_was_there_does_not() -> None:
    there = np.ones(8_000_000)
    with growing() as grown:
        total = float(np.concatenate([there[:4_000_000], there[4_000_000:]]).sum())
    assert total == there.size
    assert grown.megabytes is not None
    assert 50 < grown.megabytes < 100


def test_each_block_is_measured_by_itself() -> None:
    with growing() as large:
        np.ones(8_000_000).sum()
    with growing() as small:
        np.ones(1_000_000).sum()
    assert large.megabytes is not None
    assert small.megabytes is not None
    assert small.megabytes < large.megabytes / 2
