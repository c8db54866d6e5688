"""The blocks in a loop's body that hold a whole training step: below an `if`, in a short loop.

Where the body as a whole can't be traced (it steps an environment, fills a replay buffer, trains
one model several times for each time of another), what such a block does still can.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.turns import opens_tape


def inner_steps(model: SemanticModel, step: StepLoop) -> Iterator[tuple[StepLoop, cst.BaseSuite]]:
    """The blocks below the body that hold a training step, the outer ones first.

    With each comes the step as it is seen from there: the loop nearest around, the block's work.
    """
    for block in _blocks_of(model, step.loop.body):
        work = model.works.of([block], into_loops=False)
        if not work.is_training_step or model.loops.often(block, step.loop) < Often.REGULARLY:
            continue
        holder = model.parent(block)
        loop = holder if isinstance(holder, (cst.For, cst.While)) else step.loop
        yield StepLoop(loop, step.unit, work), block


def inner_blocks(model: SemanticModel, suite: cst.BaseSuite) -> Iterator[cst.BaseSuite]:
    """The branches below a function's body that hold a training step, the outer ones first."""
    for block in _blocks_of(model, suite):
        in_loop = any(isinstance(a, (cst.For, cst.While)) for a in _between(model, block, suite))
        if not in_loop and model.works.of([block], into_loops=False).is_training_step:
            yield block


def _between(
    model: SemanticModel, block: cst.BaseSuite, suite: cst.BaseSuite
) -> Iterator[cst.CSTNode]:
    for ancestor in model.ancestors(block):
        if ancestor is suite:
            return
        yield ancestor


def _blocks_of(model: SemanticModel, suite: cst.BaseSuite) -> Iterator[cst.BaseSuite]:
    for statement in suite.body:
        for block in _blocks(model, statement):
            yield block
            yield from _blocks_of(model, block)


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
        if not opens_tape(model, statement):
            yield statement.body
