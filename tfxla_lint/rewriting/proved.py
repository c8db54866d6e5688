"""How surely a rewrite that traces code keeps what the code does, and how to say so."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst

from tfxla_lint.findings import Applicability
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.conditions import Condition, Gap

#: Code that is too long for a line about it.
_LONG = re.compile(r"`([^`]{60})[^`]{8,}`")
#: So many conditions are said to be open.
_SAID = 8


def judged(
    model: SemanticModel, gaps: Sequence[Gap], conditions: Sequence[Condition], assumption: str
) -> tuple[Applicability, str]:
    """The applicability of a rewrite, and what is said of it.

    Safe where all of the conditions are proved, which are then listed; else unsafe, with what it
    assumes and what is not proved of it, the gravest first.
    """
    if not gaps:
        proved = ", ".join(condition.value for condition in conditions)
        return Applicability.SAFE, f"proved: {proved}"
    order = list(Condition)
    found = sorted(gaps, key=lambda gap: order.index(gap.condition))
    words = (said_at(model, g.node, f"{g.condition.value}: {g.words}") for g in found)
    said = list(dict.fromkeys(words))
    more = [f"{len(said) - _SAID} more that is not proved"] if len(said) > _SAID else []
    return Applicability.UNSAFE, "; ".join([assumption, *said[:_SAID], *more])


def said_at(model: SemanticModel, node: cst.CSTNode, words: str) -> str:
    """What is not proved, and where."""
    words = _LONG.sub(lambda code: f"`{code[1]} ...`", " ".join(words.split()))
    where = f"line {model.line(node)}"
    path = model.path(node)
    where = f"{path}, {where}" if path is not None else where
    return f"not proved that {words} ({where})"
