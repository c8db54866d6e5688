"""Values that pass for tensors and are variables: they change after they were given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.flow.calls import Edge
    from tfxla_lint.semantics.model import SemanticModel

#: Methods of variables whose eager result reads the variable when it is read itself.
_UPDATES = ("assign", "scatter_", "batch_scatter_")


def may_be_live(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether an expression may give a variable: an update's result, a metric of one's own."""

    def judge(given: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(given, cst.Call) and _gives_variable(model, given):
            return True
        if isinstance(given, (cst.Tuple, cst.List, cst.Dict)) and not path:
            return question.any([element.value for element in given.elements])
        return question.of(given.value, path) if isinstance(given, cst.Subscript) else THROUGH

    through = Through(returns=_runs_here, items=True, agree=Agree.ANY)
    question = Origins(model.flow, through, judge)
    return bool(question.of(node))


def _runs_here(edge: Edge) -> bool:
    """Whether a call gives what its function returns, and no trace stands between."""
    return edge.tracing is None and edge.callee.tracing is None


def _gives_variable(model: SemanticModel, call: cst.Call) -> bool:
    if isinstance(call.func, cst.Attribute) and call.func.attr.value.startswith(_UPDATES):
        return True
    receiver = model.value(call.func).receiver
    if receiver is None or receiver.kind is not Kind.METRIC:
        return False
    return receiver.class_ is not None
