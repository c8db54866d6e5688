"""Programs that are long, or whose calls are deep, are linted like others."""

from __future__ import annotations

import pytest

from tools.measure_growth import SHAPES, depth, exponent, seconds


@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES.keys())
def test_every_shape_is_linted_without_a_crash(shape: object) -> None:
    assert callable(shape)
    assert seconds(shape(3)) > 0


def test_a_chain_of_1600_functions_is_followed_to_its_end() -> None:
    program = depth(200)
    assert program["main.py"].count("def ") == 1601
    assert seconds(program) > 0


def test_the_exponent_is_the_slope_between_logarithms() -> None:
    assert exponent([1, 2, 4], [3.0, 12.0, 48.0]) == pytest.approx(2.0)
