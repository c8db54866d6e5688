"""Programs that are long, or whose calls are deep, are linted like others."""

from __future__ import annotations

import pytest

from tools.measure_growth import SHAPES, depth, exponent, seconds


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_linted_without_a_crash(shape: object) -> None:
    assert callable(shape)
    assert seconds(shape(3)) > 0


def test_a_chain_of_640_functions_is_followed_to_its_end() -> None:
    """Two calls of Python for each function would be too deep for its stack."""
    program = depth(80)
    assert program["main.py"].count("def ") == 641
    assert seconds(program) > 0


def test_the_exponent_is_the_slope_between_logarithms() -> None:
    assert exponent([1, 2, 4], [3.0, 12.0, 48.0]) == pytest.approx(2.0)
