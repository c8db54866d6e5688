"""Checks that a graph does not wait for before it makes its updates.

Automatic control dependencies order what touches the same resource; `Assert` and `CheckNumerics`
touch none (`ASYNC_STATEFUL_OPS` in tensorflow/python/framework/auto_control_deps.py). Eager code stops at
a check that fails, before the updates below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.safety.named_calls import calls_run

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_CHECKS = behaviour.names(Trait.CHECKS)


def late_checks(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """That updates may be made though a check before them fails, where code checks so itself or through
    others, in words that follow what else a rewrite assumes."""
    check = next(calls_run(model, nodes, _CHECKS), None)
    if check is None:
        return ""
    return (
        f"; where `{model.code(check.func)}` fails, the step may have made its updates all the same"
    )
