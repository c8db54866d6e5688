from __future__ import annotations

from collections.abc import Callable

import libcst as cst
import pytest

from tfxla_lint.semantics.loops import LoopInfo
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]

ITERATOR = """
class Batches:
    def __iter__(self):
        return self

    def __next__(self):
        return [1, 2]

class Parts:
    def __iter__(self):
        return iter([1, 2])
"""


def outermost(model: SemanticModel) -> LoopInfo:
    loops: list[cst.For | cst.While] = [*model.nodes(cst.For), *model.nodes(cst.While)]
    return model.loops.info(min(loops, key=model.line))


@pytest.mark.parametrize(
    "body",
    [
        "    text = input()\n",
        "    try:\n        text = input('more: ')\n    except EOFError:\n        break\n",
        "    with lock:\n        print(int(input()))\n    continue\n",
        "    text = six.moves.input('?')\n",
    ],
)
def test_a_loop_that_asks_on_every_turn_is_no_hot_one(build: Build, body: str) -> None:
    info = outermost(build("import six\nwhile True:\n" + body))
    assert info.over == "wait"
    assert info.is_short
    assert not info.is_certain


def test_asking_in_the_condition(build: Build) -> None:
    assert outermost(build("while input('again? ') == 'y':\n    pass\n")).is_short


@pytest.mark.parametrize(
    "body",
    [
        "    if broken:\n        input('continue?')\n",
        "    for x in rows:\n        input(x)\n",
        "    def ask():\n        return input()\n",
        "    print('input')\n",
    ],
)
def test_a_loop_that_asks_now_and_then_is_hot(build: Build, body: str) -> None:
    assert outermost(build("while True:\n" + body)).is_certain


@pytest.mark.parametrize("over", ["Batches()", "enumerate(Batches())", "zip(Batches(), x)"])
def test_an_iterator_of_the_program_is_data(build: Build, over: str) -> None:
    assert outermost(build(ITERATOR + f"for batch in {over}:\n    print(batch)\n")).over == "data"


def test_other_objects_may_hold_anything(build: Build) -> None:
    info = outermost(build(ITERATOR + "for part in Parts():\n    print(part)\n"))
    assert info.over == "unknown"
