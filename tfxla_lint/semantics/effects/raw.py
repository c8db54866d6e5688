"""Which calls run code without AutoGraph: those of the objects that Keras 3 runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.values import KERAS_CALLABLES

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

WITHOUT_AUTOGRAPH = "Keras 3 runs `call` without AutoGraph"


def runs_raw(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a call is one of a layer or model (not of its `call`), which Keras 3 surely runs."""
    if not isinstance(node, cst.Call) or model.value(node.func).kind not in KERAS_CALLABLES:
        return False
    return model.world.runs_keras_3
