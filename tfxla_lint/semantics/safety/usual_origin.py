"""Whether a tensor of no known dtype surely has the usual one: it is made of what Keras gives.

`tf.Variable(data)` and the members of a dataset have the dtype of the data, which NumPy makes
float64 where nothing says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.semantics.origins import assigned
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, UNKNOWN, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_WEIGHTS = frozenset(
    name for name, row in behaviour.results("@keras").items() if row.of == "variable"
)
_HOLDERS = (cst.Assign, cst.AnnAssign, cst.For, cst.CompFor, cst.NamedExpr)
#: Parts of an expression that decide nothing of the dtype of its value.
_ASIDE = frozenset({"dtype", "shape", "axis", "name", "seed"})


#: So many expressions are followed for one question, and so many of them each from the one before;
#: what takes more is not known.
_MOST, _DEEPEST = 5_000, 150


class UsualOrigin:
    """Follows an expression to what its value is computed of; each but once, where it can."""

    def __init__(self, model: SemanticModel, usual: str) -> None:
        self._model = model
        self._usual = usual
        self._seen: set[int] = set()
        self._known: dict[int, bool] = {}
        #: How often a way led back to where it came from, or was too long: what is found to be
        #: False on it may be True on another.
        self._cuts = 0
        self._steps = 0

    def of(self, node: cst.CSTNode | None) -> bool:
        """Whether something of the usual dtype has a part in the value: all of it has the same."""
        if not isinstance(node, cst.BaseExpression):
            return False
        value = self._model.value(node)
        if value.is_tensor and value.dtype is not None:
            return value.dtype == self._usual
        if id(node) in self._known:
            return self._known[id(node)]
        self._steps = self._steps + 1 if self._seen else 0
        is_too_far = self._steps > _MOST or len(self._seen) > _DEEPEST
        if is_too_far or id(node) in self._seen:
            self._cuts += 1
            return False
        cuts = self._cuts
        self._seen.add(id(node))
        found = self._follow(node)
        self._seen.discard(id(node))
        if found or self._cuts == cuts:
            self._known[id(node)] = found
        return found

    def _follow(self, node: cst.BaseExpression) -> bool:
        if isinstance(node, cst.Name):
            return self._of_name(node)
        if isinstance(node, cst.Attribute):
            return self._of_attribute(node)
        if isinstance(node, cst.Call):
            return self._of_call(node)
        if isinstance(node, cst.IfExp):
            return self.of(node.body) and self.of(node.orelse)
        return any(self.of(part) for part in _parts(node))

    def _of_name(self, node: cst.Name) -> bool:
        bindings = [
            binding
            for binding in self._model.binder.scope(node).lookup(node.value)
            if binding.kind not in (BindingKind.AUGMENTED, BindingKind.ANNOTATION)
        ]
        if self._model.value(node).is_tensor:
            bindings = [binding for binding in bindings if not self._is_no_tensor(binding)]
        return bool(bindings) and all(self._of_binding(binding) for binding in bindings)

    def _is_no_tensor(self, binding: Binding) -> bool:
        """Whether a binding surely is not what a read of a tensor finds."""
        value = self._model.value(binding.value) if binding.value is not None else UNKNOWN
        return value.is_known and not value.is_tensor

    def _of_binding(self, binding: Binding) -> bool:
        if binding.kind is BindingKind.PARAMETER:
            return self._of_parameter(binding)
        if binding.value is not None:
            return self.of(binding.value)
        for holder in (binding.node, *self._model.ancestors(binding.node)):
            if isinstance(holder, _HOLDERS):
                return self.of(
                    holder.iter if isinstance(holder, (cst.For, cst.CompFor)) else holder.value
                )
            if isinstance(holder, cst.BaseStatement):
                break
        return False

    def _of_parameter(self, binding: Binding) -> bool:
        unit = self._model.units.of_scope(binding.scope)
        edges = self._model.calls.untraced(unit)
        return bool(edges) and all(self.of(edge.argument(binding.name)) for edge in edges)

    def _of_attribute(self, node: cst.Attribute) -> bool:
        if node.attr.value in _WEIGHTS:
            return self._model.value(node.value).kind in KERAS_CALLABLES
        values = assigned(self._model, node)
        return bool(values) and all(self.of(value) for value in values)

    def _of_call(self, call: cst.Call) -> bool:
        function = self._model.value(call.func)
        if function.kind in KERAS_CALLABLES:
            return True
        callees = self._model.callees(call)
        if callees:
            return all(self._of_results(callee.unit) for callee in callees)
        given = [a.value for a in call.args if a.keyword is None or a.keyword.value not in _ASIDE]
        if function.kind is Kind.METHOD and isinstance(call.func, cst.Attribute):
            given.append(call.func.value)
        return any(self.of(part) for part in given)

    def _of_results(self, unit: Unit) -> bool:
        returned = [
            n.value for n in walk(unit.node, into_scopes=False) if isinstance(n, cst.Return)
        ]
        return bool(returned) and all(self.of(value) for value in returned)


def _parts(node: cst.BaseExpression) -> Iterator[cst.CSTNode]:
    """The expressions whose values an operator, subscript, list or comprehension goes on with."""
    if isinstance(node, cst.BinaryOperation):
        yield from (node.left, node.right)
    elif isinstance(node, cst.UnaryOperation):
        yield node.expression
    elif isinstance(node, (cst.Subscript, cst.NamedExpr)):
        yield node.value
    elif isinstance(node, (cst.List, cst.Tuple)):
        yield from (element.value for element in node.elements)
    elif isinstance(node, (cst.ListComp, cst.GeneratorExp)):
        yield node.elt
