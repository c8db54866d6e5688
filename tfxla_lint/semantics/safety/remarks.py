"""What a trace may change of code, in words that follow what else a rewrite assumes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.safety.draws import other_draws
from tfxla_lint.semantics.safety.late_checks import late_checks
from tfxla_lint.semantics.safety.recorded import on_trust
from tfxla_lint.semantics.safety.scratch import left_behind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def changed_by_trace(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """Other draws, checks that come late, calls that are taken on trust, and what stays in objects."""
    asked = (other_draws, late_checks, on_trust, left_behind)
    return "".join(words(model, nodes) for words in asked)
