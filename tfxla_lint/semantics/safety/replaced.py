"""Models, optimizers and metrics that a name holds one after the other.

A trace made for one of them serves no other: the second one's variables would be made on a later
trace, which `tf.function` refuses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_OWNERS = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.MODULE, Kind.VARIABLE}
)


def may_be_replaced(
    model: Answers, unit: Unit, name: str, value: Value, within: cst.CSTNode
) -> bool:
    """Whether `name` may hold one object that owns variables, or one variable, after the other.

    Asked of the bindings `within` a loop or function. A plain `net = self.net` always gives the
    same object.
    """
    if value.kind not in _OWNERS:
        return False
    inside = {id(node) for node in walk(within)}
    bindings = [
        binding
        for binding in unit.scope.bindings.get(name, ())
        if id(binding.node) in inside and binding.kind is not BindingKind.PARAMETER
    ]
    if len(bindings) > 1:
        return True
    return not all(
        binding.kind is BindingKind.ASSIGNMENT and _is_plain(model, unit, binding.value)
        for binding in bindings
    )


def _is_plain(model: Answers, unit: Unit, node: cst.BaseExpression | None) -> bool:
    """Whether this is an attribute of the receiver, or a name of the module that is bound once."""
    while isinstance(node, cst.Attribute):
        node = node.value
    if not isinstance(node, cst.Name):
        return False
    if unit.is_method and unit.parameters and node.value == unit.parameters[0].name:
        return True
    home = model.binder.scope(node).home(node.value)
    return home is not None and len(home.bindings[node.value]) == 1
