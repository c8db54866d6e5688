"""Plain operations that are many enough to be worth a word where a trace has something in its way."""

from __future__ import annotations

from collections.abc import Sequence

from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import ENOUGH_OPS, StepFunction, StepLoop
from tfxla_lint.semantics.work import Work

#: So many operations are worth a word where no more than so many places are in the way of a trace.
_MANY_OPS, _FEW_BLOCKERS = 3 * ENOUGH_OPS, 3
#: So many where the places may be in the way, or not.
_DOUBTED_OPS = 2 * ENOUGH_OPS


def are_many_ops(work: Work, blockers: Sequence[Blocker], repeated: int = 0) -> bool:
    """Whether some work is many operations that little keeps from being traced; fewer will do where
    nothing is sure to. Loops in it make `repeated` more."""
    if len(blockers) > _FEW_BLOCKERS or work.traced_calls:
        return False
    total = work.total + len(work.slices)
    if all(blocker.is_doubt for blocker in blockers):
        return total >= _DOUBTED_OPS
    return total + repeated >= _MANY_OPS


def calls_said(step: StepLoop | StepFunction) -> str:
    """How many calls of TensorFlow a step makes, at least that many where its own loops repeat some."""
    number = step.work.total + step.repeated
    return f"at least {number} TensorFlow calls" if step.repeated else f"{number} TensorFlow calls"
