"""Code that runs without a call that is written out: properties, and the methods of operators.

`self.beta` may compute what it gives from a counter; so may `schedule["beta"]`, `ratio * loss`
and `float(ratio)` where the class says what they mean
(https://docs.python.org/3/reference/datamodel.html#special-method-names).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.knowledge.data_model import asked
from tfxla_lint.semantics.effects.overriding import with_overriding
from tfxla_lint.semantics.syntax import is_self
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_LOOKING_UP = asked("attribute")
#: What runs no method of what it is given: it asks what that is.
_ONLY_ASKING = behaviour.names(Trait.INSPECTS) | {"builtins.super"}


def hidden_units(model: Answers, node: cst.CSTNode) -> list[Unit]:
    """The first-party functions that evaluating a node runs, without a call of them."""
    if isinstance(node, cst.Attribute):
        return _behind_attribute(model, node)
    return [
        unit
        for operand, names in _operands(model, node)
        if (value := model.value(operand)).class_ is not None and value.kind is not Kind.CLASS
        for name in sorted(names)
        for unit in model.evaluator.methods(value, name)
    ]


def is_looked_up(model: Answers, node: cst.Attribute) -> bool:
    """Whether a class gives an attribute by a `__getattr__` that is no method of its own.

    `__getattr__ = dict.__getitem__` makes the members of a dict attributes.
    """
    info = model.value(node.value).class_
    if info is None or info.method(node.attr.value) is not None:
        return False
    return any(
        name in base.scope.bindings and name not in base.methods
        for base in info.lineage()
        for name in _LOOKING_UP
    )


def _behind_attribute(model: Answers, node: cst.Attribute) -> list[Unit]:
    holder, name = model.value(node.value), node.attr.value
    if holder.class_ is None or holder.kind is Kind.CLASS:
        return []
    units = model.evaluator.methods(holder, name)
    if not units:
        if holder.class_.attribute(name) is not None:
            return []
        return [u for way in sorted(_LOOKING_UP) for u in model.evaluator.methods(holder, way)]
    if units[0].method is not MethodKind.PROPERTY:
        return []
    return with_overriding(model, units, model.unit(node)) if is_self(node.value) else units


def _operands(
    model: Answers, node: cst.CSTNode
) -> Iterable[tuple[cst.BaseExpression, frozenset[str]]]:
    """The expressions whose classes may say what a node means, with the methods that it asks for."""
    if isinstance(node, cst.BinaryOperation):
        return [(node.left, asked("operator")), (node.right, asked("operator"))]
    if isinstance(node, cst.Comparison):
        sides = [node.left, *(target.comparator for target in node.comparisons)]
        return [(side, asked("comparison")) for side in sides]
    if isinstance(node, cst.UnaryOperation):
        return [(node.expression, asked("unary"))]
    if isinstance(node, cst.Subscript):
        return [(node.value, asked("item"))]
    if isinstance(node, (cst.For, cst.CompFor)):
        return [(node.iter, asked("iteration"))]
    if isinstance(node, (cst.If, cst.While, cst.IfExp, cst.CompIf)):
        return [(node.test, asked("truth"))]
    if isinstance(node, cst.BooleanOperation):
        return [(node.left, asked("truth")), (node.right, asked("truth"))]
    if isinstance(node, cst.With):
        return [(item.item, asked("context")) for item in node.items]
    if isinstance(node, cst.Call) and (names := model.names.of(node.func)):
        if names <= _ONLY_ASKING:
            return []
        return [(argument.value, asked("argument")) for argument in node.args]
    return []
