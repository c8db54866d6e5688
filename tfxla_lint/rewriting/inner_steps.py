"""The blocks in a loop's body that hold a whole training step: below an `if`, in a short loop.

Where the body as a whole can't be traced (it steps an environment, fills a replay buffer, trains
one model several times for each time of another), what such a block does still can.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.turns import conditions, is_frequent, is_rare
from tfxla_lint.semantics.values import Kind


def inner_steps(model: SemanticModel, step: StepLoop) -> Iterator[tuple[StepLoop, cst.BaseSuite]]:
    """The blocks below the body that hold a training step, the outer ones first.

    With each comes the step as it is seen from there: the loop nearest around, the block's work.
    """
    yield from _below(model, step, step.loop.body)


def _below(
    model: SemanticModel, step: StepLoop, suite: cst.BaseSuite
) -> Iterator[tuple[StepLoop, cst.BaseSuite]]:
    for statement in suite.body:
        for block in _blocks(model, statement):
            work = model.works.of([block], into_loops=False)
            if not work.is_training_step or not _is_often_run(model, block, step):
                continue
            loop = statement if isinstance(statement, (cst.For, cst.While)) else step.loop
            inner = StepLoop(loop, step.unit, work)
            yield inner, block
            yield from _below(model, inner, block)


def _blocks(model: SemanticModel, statement: cst.CSTNode) -> Iterator[cst.BaseSuite]:
    if isinstance(statement, cst.If):
        yield statement.body
        if isinstance(statement.orelse, cst.If):
            yield from _blocks(model, statement.orelse)
        elif statement.orelse is not None:
            yield statement.orelse.body
    elif isinstance(statement, (cst.For, cst.While)):
        if model.loops.info(statement).is_short:
            yield statement.body
    elif isinstance(statement, cst.With):
        if all(model.value(item.item).kind is not Kind.TAPE for item in statement.items):
            yield statement.body


def _is_often_run(model: SemanticModel, block: cst.BaseSuite, step: StepLoop) -> bool:
    tests = list(conditions(model, block, step.loop))
    if len(tests) == 1 and is_frequent(model, tests[0]):
        return True
    return not is_rare(model, block, step.loop)
