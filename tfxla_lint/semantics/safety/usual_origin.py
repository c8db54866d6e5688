"""Whether a tensor of no known dtype surely has the usual one: it is made of what Keras gives.

`tf.Variable(data)` and the members of a dataset have the dtype of the data, which NumPy makes
float64 where nothing says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import KERAS_CALLABLES, NUMBERS, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_WEIGHTS = frozenset(
    name for name, row in behaviour.results("@keras").items() if row.of == "variable"
)
#: Parts of an expression that decide nothing of the dtype of its value.
_ASIDE = frozenset({"dtype", "shape", "axis", "name", "seed"})


class UsualOrigin:
    """Follows an expression to what its value is computed of."""

    def __init__(self, model: Answers, usual: str) -> None:
        self._model = model
        self._usual = usual
        through = Through(model.calls.untraced, lambda edge: True, attributes=True, items=True)
        self._origins = Origins(model.flow, through, self._judge)

    def of(self, node: cst.BaseExpression) -> bool:
        """Whether something of the usual dtype has a part in the value: all of it has the same."""
        return not self._is_number(node) and bool(self._origins.of(node))

    def _judge(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = self._model.value(node)
        if value.is_tensor and value.dtype is not None:
            return value.dtype == self._usual
        if self._is_number(node) and not path:
            # A read that is computed with as a tensor found another value.
            return True
        if isinstance(node, cst.Attribute) and node.attr.value in _WEIGHTS:
            return self._model.value(node.value).kind in KERAS_CALLABLES
        if isinstance(node, cst.Call):
            return self._of_call(node)
        parts = list(_parts(node))
        return self._any(parts) if parts and not path else THROUGH

    def _is_number(self, node: cst.CSTNode) -> bool:
        return self._model.value(node).kind in NUMBERS | {Kind.NONE}

    def _any(self, nodes: Iterable[cst.CSTNode]) -> bool:
        return bool(self._origins.any([n for n in nodes if not self._is_number(n)]))

    def _of_call(self, call: cst.Call) -> bool | Look:
        function = self._model.value(call.func)
        if function.kind in KERAS_CALLABLES:
            return True
        if self._model.callees(call):
            return THROUGH
        given = [a.value for a in call.args if a.keyword is None or a.keyword.value not in _ASIDE]
        if function.kind is Kind.METHOD and isinstance(call.func, cst.Attribute):
            given.append(call.func.value)
        return self._any(given)


def _parts(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The expressions whose values an operator, subscript, list or comprehension goes on with."""
    if isinstance(node, cst.BinaryOperation):
        yield from (node.left, node.right)
    elif isinstance(node, cst.UnaryOperation):
        yield node.expression
    elif isinstance(node, cst.AugAssign):
        yield from (node.target, node.value)
    elif isinstance(node, cst.Subscript):
        yield node.value
    elif isinstance(node, (cst.List, cst.Tuple)):
        yield from (element.value for element in node.elements)
    elif isinstance(node, (cst.ListComp, cst.GeneratorExp)):
        yield node.elt
