"""Variables of Keras 3 as arguments: a trace gets their values, not them.

It takes them for tensors, unlike variables of TensorFlow's own: what would assign to them fails, and no
gradient comes of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.values import Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def variables_blocker(model: Answers, name: str, value: Value, node: cst.CSTNode) -> Blocker | None:
    """What keeps variables of Keras from being an argument of a traced function."""
    if not model.world.may_run_keras_3 or not any(v.is_keras_variable for v in leaves(value)):
        return None
    message = f"takes as `{name}` variables of Keras 3, of which a trace gets the values only"
    is_sure = model.world.runs_keras_3
    return Blocker(Reason.PYTHON_ARGUMENT, node, message, of_unknown=not is_sure)
