"""How surely a rewrite that traces code keeps what the code does, and how to say so."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.findings import Applicability
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition, Gap


def judged(
    model: SemanticModel, gaps: Sequence[Gap], conditions: Sequence[Condition], assumption: str
) -> tuple[Applicability, str]:
    """The applicability of a rewrite, and what is said of it.

    Safe where all of the conditions are proved, which are then listed; else unsafe, with what it
    assumes and the first thing that is not proved of it.
    """
    if not gaps:
        listed = ", ".join(condition.value for condition in conditions)
        return Applicability.SAFE, f"proved: {listed}"
    first = min(gaps, key=lambda gap: list(Condition).index(gap.condition))
    others = len({id(gap.node) for gap in gaps} - {id(first.node)})
    more = f", and {others} more" if others else ""
    words = f"{first.condition.value}: {first.words}"
    return Applicability.UNSAFE, f"{assumption}; {said_at(model, first.node, words)}{more}"


def said_at(model: SemanticModel, node: cst.CSTNode, words: str) -> str:
    """What is not proved, and where."""
    where = f"line {model.line(node)}"
    path = model.path(node)
    where = f"{path}, {where}" if path is not None else where
    return f"not proved that {words} ({where})"
