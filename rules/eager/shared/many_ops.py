"""Plain operations that are many enough to be worth a word where a trace has something in its way."""

from __future__ import annotations

from collections.abc import Sequence

from tfxla_lint.semantics.safety.blockers import Blocker
from tfxla_lint.semantics.steps import ENOUGH_OPS
from tfxla_lint.semantics.work import Work

#: So many operations are worth a word where no more than so many places are in the way of a trace.
_MANY_OPS, _FEW_BLOCKERS = 3 * ENOUGH_OPS, 3


def are_many_ops(work: Work, blockers: Sequence[Blocker]) -> bool:
    """Whether some work is many operations that little keeps from being traced."""
    return work.total >= _MANY_OPS and len(blockers) <= _FEW_BLOCKERS and not work.traced_calls
