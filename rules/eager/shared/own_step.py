"""Models whose class says itself what Keras does with a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


def has_own_step(model: SemanticModel, call: cst.Call, name: str) -> bool:
    """Whether a call is one of a method of a model whose class is in sight and has its own `train_step`, or
    whatever the name is."""
    run = model.value(call.func).receiver
    return run is not None and run.class_ is not None and run.class_.method(name) is not None
