"""What is surely an array or a tensor, for a `predict` that would take a data set, too."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.arrays import is_array_or_tensor
from tfxla_lint.semantics.values import Kind


def gives_array(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression surely is an array or a tensor, and no list of them."""

    def judge(node: cst.CSTNode, path: Path) -> bool | Look | None:
        if path or not isinstance(node, cst.BaseExpression):
            return THROUGH if path else None
        value = model.value(node)
        if value.shape is not None or is_array_or_tensor(model, node):
            return True
        if isinstance(node, cst.Subscript):
            # Nothing else takes an index of several parts, or one that makes a dimension.
            return len(node.slice) > 1 or _is_new_axis(model, node.slice[0].slice)
        is_open = value.kind is Kind.UNKNOWN
        return THROUGH if is_open and isinstance(node, (cst.Name, cst.Call)) else None

    return bool(Origins(model.flow, Through(callers=model.calls.untraced), judge).of(node))


def _is_new_axis(model: SemanticModel, index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Index) and model.value(index.value).kind is Kind.NONE
