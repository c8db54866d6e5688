"""Whether a `tf.function` that is a method tells the instances apart, and finds them alive.

It keeps what it traces for an instance in a weak dictionary, by the equality and the hash of the instance,
and the trace holds the instance weakly as well. So two instances that are equal share one trace, and an
instance that nothing else holds is gone before its trace is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.calls import Passing
from tfxla_lint.semantics.safety.keys import compares_fields
from tfxla_lint.semantics.units import ClassInfo, MethodKind, Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.calls import Edge

_EQUALITY = ("__eq__", "__hash__")
_PLAIN_BASES = behaviour.names(Trait.PLAIN_BASE)
#: Of TensorFlow's and Keras' objects, those that equal nothing but themselves.
_SINGLE = frozenset(
    {Kind.MODULE, Kind.LAYER, Kind.MODEL, Kind.METRIC, Kind.LOSS, Kind.OPTIMIZER, Kind.SCHEDULE}
)
#: Containers that hold what a number or key of them names.
_HOLDING = frozenset({Kind.LIST, Kind.TUPLE, Kind.DICT})


def alike(model: Answers, unit: Unit) -> Iterator[ClassInfo]:
    """The classes of a method's instances that may equal other instances."""
    if unit.class_ is None or unit.method is not MethodKind.INSTANCE:
        return
    derived = (info for info in model.every_class if unit.class_ in info.lineage())
    for info in dict.fromkeys((unit.class_, *unit.receivers, *derived)):
        if not all(_is_single(model, member) for member in info.lineage()):
            yield info


def _is_single(model: Answers, info: ClassInfo) -> bool:
    """Whether nothing in a class makes its instances equal to others."""
    if info.has_unknown_base or any(name in info.scope.bindings for name in _EQUALITY):
        return False
    own = info.role in _SINGLE
    outer = set(info.base_names) - _PLAIN_BASES
    if not all(own and api.is_tensorflow(name) for name in outer):
        return False
    return not any(compares_fields(model, each.decorator) for each in info.node.decorators)


def is_held(model: Answers, edge: Edge) -> bool:
    """Whether the instance whose method is called is alive while the method runs."""
    if edge.receiver.how is not Passing.RECEIVER or edge.receiver.node is None:
        return False
    return _is_held(model, edge.receiver.node)


def _is_held(model: Answers, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Name):
        return True
    value = model.value(node.value) if isinstance(node, (cst.Attribute, cst.Subscript)) else None
    if isinstance(node, cst.Call):
        return model.names.one(node.func) == "builtins.super"
    if value is None:
        return False
    assert isinstance(node, (cst.Attribute, cst.Subscript))
    if isinstance(node, cst.Subscript):
        return value.kind in _HOLDING and _is_held(model, node.value)
    if value.kind is Kind.PYTHON_MODULE:
        return True
    method = value.class_.method(node.attr.value) if value.class_ is not None else None
    return value.class_ is not None and method is None and _is_held(model, node.value)
