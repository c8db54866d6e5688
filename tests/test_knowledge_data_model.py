"""Data about Python and Keras that is written by hand: held against what there is."""

from __future__ import annotations

import operator

import pytest

from tfxla_lint.knowledge import dtypes, tables
from tfxla_lint.knowledge.data_model import asked
from tfxla_lint.knowledge.renamed import option_spellings
from tfxla_lint.semantics.names import canonical


def test_each_operator_asks_for_its_three_methods() -> None:
    in_place = {n for n in vars(operator) if n.startswith("__i") and n[3:] != "concat__"}
    plain = {"__" + n[3:] for n in in_place} & set(vars(operator))
    asked_for = {n for name in plain for n in (name, "__i" + name[2:], "__r" + name[2:])}
    assert asked_for == asked("operator")


@pytest.mark.parametrize(
    ("kind", "occasion"),
    [(dict, "comparison"), (int, "unary"), (int, "truth"), (list, "iteration")],
)
def test_python_has_what_an_occasion_asks_for(kind: type, occasion: str) -> None:
    has = {name for name in asked(occasion) if hasattr(kind, name) or hasattr(list, name)}
    assert asked(occasion) - has <= {"__next__"}


def test_a_module_has_one_name() -> None:
    for name in tables.load("spellings")["modules"]:
        assert canonical(name + ".nn.relu").startswith("tensorflow.")
        assert canonical(name) in ("tensorflow", "tensorflow.keras")
    assert canonical("keras_tuner.Tuner") == "keras_tuner.Tuner"


def test_the_spellings_of_a_dtype_are_those_that_it_is_named_by() -> None:
    assert dtypes.spellings({"float16"}) == {"float16", "half"}
    assert all(dtypes.dtype_named(n) == "float64" for n in dtypes.spellings({"float64"}))


def test_an_option_is_known_by_its_old_name_too() -> None:
    assert option_spellings("jit_compile") == ("jit_compile", "experimental_compile")
    assert option_spellings("autograph") == ("autograph",)
