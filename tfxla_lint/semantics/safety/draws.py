"""Which calls of code draw random numbers, of which a trace draws others from the same seed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def random_calls(model: Answers, nodes: Iterable[cst.CSTNode]) -> list[cst.Call]:
    """The calls among `nodes` that draw stateful random numbers."""
    calls = (node for root in nodes for node in walk(root) if isinstance(node, cst.Call))
    return [call for call in calls if model.names.of(call.func) & api.STATEFUL_RANDOM]


def other_draws(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """That a trace draws other random numbers, where code does so itself or through others, in words that
    follow what else a rewrite assumes."""
    below = (root for unit in model.calls.run_by(nodes) for root in unit.body)
    is_drawn = random_calls(model, nodes) or random_calls(model, below)
    return "; draws other random numbers from the same seed" if is_drawn else ""
