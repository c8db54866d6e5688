"""Whether a container is made by the code that is traced: changing it there changes nothing else."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.safety.lifetimes import is_made
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_PASSING = (cst.Name, cst.IfExp, cst.BooleanOperation, cst.NamedExpr)


def makers_outside(
    model: Answers, nodes: Collection[cst.CSTNode], name: cst.CSTNode | None
) -> frozenset[str] | None:
    """The parameters that what `name` holds may come from, where the statements `nodes` of a
    function make it otherwise; None where it may be from somewhere else."""
    question = _Question(model, nodes)
    is_known = isinstance(name, (cst.Name, *_PASSING)) and question.is_of_it(name)
    return frozenset(question.parameters) if is_known else None


class _Question:
    """Asked of one name."""

    def __init__(self, model: Answers, nodes: Collection[cst.CSTNode]) -> None:
        self._model = model
        self._nodes = {id(node) for node in nodes}
        self.origins = Origins(model.flow, Through(), self._judge)
        self.parameters: set[str] = set()
        self._asked: set[int] = set()

    def is_of_it(self, held: cst.BaseExpression) -> bool:
        """Whether an expression holds what is made there; a turn that leads back to it tells nothing else."""
        if id(held) in self._asked:
            return True
        self._asked.add(id(held))
        return self.origins.of(held) is True

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look:
        if isinstance(node, _PASSING) or (path and isinstance(node, (cst.Tuple, cst.List))):
            return THROUGH
        if isinstance(node, cst.Param):
            self.parameters.add(node.name.value)
            return self._is_inside(self._model.unit(node).body[0])
        held: cst.BaseExpression | None = None
        if isinstance(node, (cst.For, cst.CompFor)):
            held = node.iter
        elif isinstance(node, cst.Subscript):
            held = node.value
        elif isinstance(node, cst.AugAssign):
            held = node.target
        if held is not None:
            return self.is_of_it(held)
        is_new = is_made(self._model, node) or isinstance(node, cst.BinaryOperation)
        return (is_new or self._lists_variables(node)) and self._is_inside(node)

    def _lists_variables(self, node: cst.CSTNode) -> bool:
        """Whether this is `model.trainable_variables`, which gives another list each time."""
        if not isinstance(node, cst.Attribute):
            return False
        given = self._model.value(node)
        is_keras = self._model.value(node.value).kind in (Kind.MODEL, Kind.LAYER)
        of_variables = given.item is not None and given.item.kind is Kind.VARIABLE
        return is_keras and given.kind is Kind.LIST and of_variables

    def _is_inside(self, node: cst.CSTNode) -> bool:
        return any(id(n) in self._nodes for n in (node, *self._model.ancestors(node)))
