"""Which calls of code draw random numbers, of which a trace draws others from the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.safety.named_calls import calls_run, named_calls

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def random_calls(model: Answers, nodes: Iterable[cst.CSTNode]) -> list[cst.Call]:
    """The calls among `nodes` that draw stateful random numbers."""
    return list(named_calls(model, nodes, api.STATEFUL_RANDOM))


def other_draws(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """That a trace draws other random numbers, where code does so itself or through others, in words that
    follow what else a rewrite assumes."""
    is_drawn = any(True for _ in calls_run(model, nodes, api.STATEFUL_RANDOM))
    return "; draws other random numbers from the same seed" if is_drawn else ""
