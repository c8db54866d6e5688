"""Checks that a graph does not wait for before it makes its updates.

Automatic control dependencies order what touches the same resource; `Assert` and `CheckNumerics`
touch none (`ASYNC_STATEFUL_OPS` in tensorflow/python/framework/auto_control_deps.py). Eager code stops at
a check that fails, before the updates below it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.syntax import walk

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_CHECKS = behaviour.names(Trait.CHECKS)


def late_checks(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """That updates may be made though a check before them fails, where code checks so itself or through
    others, in words that follow what else a rewrite assumes."""
    below = (root for unit in model.calls.run_by(nodes) for root in unit.body)
    calls = (
        node for root in chain(nodes, below) for node in walk(root) if isinstance(node, cst.Call)
    )
    check = next((call for call in calls if model.names.of(call.func) & _CHECKS), None)
    if check is None:
        return ""
    return (
        f"; where `{model.code(check.func)}` fails, the step may have made its updates all the same"
    )
