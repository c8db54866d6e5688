"""Seeds that a program fixes, so that each of its runs draws the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.syntax import is_none

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_SETTERS = behaviour.names(Effect.SEEDS)


def fixed_seed(model: Answers, draw: cst.CSTNode) -> cst.Call | None:
    """The call that sets the seed of a draw as of all others, in any file that runs in one program
    with it."""
    seeds = model.ask(_seeds)
    return next((s for s in seeds if not model.world.in_other_programs(s, draw)), None)


def _seeds(model: Answers) -> list[cst.Call]:
    return [c for c in model.everywhere(cst.Call) if model.names.of(c.func) & _SETTERS]


def own_seed(draw: cst.Call) -> cst.BaseExpression | None:
    """The seed that a draw is given itself."""
    for argument in draw.args:
        if argument.keyword is not None and argument.keyword.value == "seed":
            return None if is_none(argument.value) else argument.value
    return None
