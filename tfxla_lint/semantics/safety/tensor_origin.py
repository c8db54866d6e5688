"""Whether what is not known of a kind is made by TensorFlow all the same: sparse and ragged tensors,
and what a data set has of elements that nobody knows. None of it is a NumPy array."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


class TensorOrigin:
    """Follows an expression to what makes it."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(
            model.calls.untraced, lambda edge: True, attributes=True, members=True, items=True
        )
        self._origins = Origins(model.flow, through, self._judge)

    def of(self, node: cst.CSTNode) -> bool:
        """Whether TensorFlow surely makes the value."""
        return bool(self._origins.of(node))

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = self._model.value(node)
        if value.is_tensor and not value.mixed:
            return True
        if value.kind is Kind.DATASET:
            return bool(path)
        if not isinstance(node, cst.Call):
            return THROUGH
        names = self._model.names.of(node.func)
        if names:
            return all(map(api.is_op, names))
        function = self._model.value(node.func)
        if function.kind is Kind.TRACED:
            return True
        is_followed = any(self._model.callees(node))
        return THROUGH if is_followed else function.kind in KERAS_CALLABLES
