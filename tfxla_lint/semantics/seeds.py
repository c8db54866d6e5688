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


def fixed_seed(model: Answers) -> cst.Call | None:
    """The call that sets the seed of all draws, in any file of the project."""

    return model.ask(_fixed_seed)


def _fixed_seed(model: Answers) -> cst.Call | None:
    calls = model.everywhere(cst.Call)
    return next((call for call in calls if model.names.of(call.func) & _SETTERS), None)


def own_seed(draw: cst.Call) -> cst.BaseExpression | None:
    """The seed that a draw is given itself."""
    for argument in draw.args:
        if argument.keyword is not None and argument.keyword.value == "seed":
            return None if is_none(argument.value) else argument.value
    return None
