"""Loops that turn in Python while tracing, and so put each of their turns into the graph."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.cost.counting import Counting
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.work import Work

from ..shared.branch_tests import LoopForm, loop_form

#: From this many TensorFlow calls on, tracing takes seconds, and compiling by XLA minutes.
MANY_CALLS = 1000
MANY_COMPILED_CALLS = 500
_FEWEST_TURNS = 20


@dataclass(frozen=True, slots=True)
class UnrolledLoop:
    """A loop, how often it turns, and how many TensorFlow calls that puts into the graph."""

    loop: cst.For
    turns: int
    calls: int


def unrolled_loops(model: SemanticModel, unit: Unit) -> Iterator[UnrolledLoop]:
    """The loops of a traced unit that make its graph large, the outermost of those in each other."""
    is_compiled = model.contexts.compiled(unit) is not None
    limit = MANY_COMPILED_CALLS if is_compiled else MANY_CALLS
    covered: set[int] = set()
    for node in unit.own(cst.For):
        if id(node) in covered:
            continue
        turns = python_turns(model, node)
        calls = _calls(model, unit, node) if turns is not None else 0
        if turns is not None and turns >= _FEWEST_TURNS and calls >= limit:
            covered.update(id(inner) for inner in walk(node.body))
            yield UnrolledLoop(node, turns, calls)


def python_turns(model: SemanticModel, loop: cst.For | cst.While) -> int | None:
    """How often a loop turns in Python, where that is known."""
    if not isinstance(loop, cst.For) or loop_form(model, loop) is not LoopForm.PYTHON:
        return None
    info = model.loops.info(loop)
    return info.turns if info.over != "structure" else None


def _calls(model: SemanticModel, unit: Unit, loop: cst.For) -> int:
    """The TensorFlow calls that all turns of a loop make, with those of the loops inside, and of models."""
    work = model.works.of_body(loop)
    models = {id(call) for call in work.model_calls}
    total = sum(_repeats(model, unit, loop, node) for node in _own_calls(work))
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Call):
            weight = sum(
                model.works.total(callee.unit)
                for callee in model.callees(node)
                if callee.tracing is None
            )
            if id(node) in models:
                weight = max(weight, _operations(model, node) - 1)
            total += weight * _repeats(model, unit, loop, node) if weight else 0
    return total


def _operations(model: SemanticModel, call: cst.Call) -> int:
    """How many operations, at least, a model makes of one call."""
    return round(model.ask(Counting).of_model(call.func, None).nodes.low)


def _own_calls(work: Work) -> list[cst.CSTNode]:
    return [
        *work.ops, *work.losses, *work.model_calls, *work.gradients, *work.updates,
        *work.metric_updates,
    ]  # fmt: skip


def _repeats(model: SemanticModel, unit: Unit, loop: cst.For, node: cst.CSTNode) -> int:
    """How often the turns of a loop, and of the loops in it, run a node while tracing."""
    times = 1
    loops = model.loops.around(node, unit)
    start = next((i for i, around in enumerate(loops) if around is loop), 0)
    for around in loops[start:]:
        times *= python_turns(model, around) or 1
    return times
