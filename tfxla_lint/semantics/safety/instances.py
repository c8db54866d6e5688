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
from tfxla_lint.semantics.repetition import is_turned, repeating, runs_few_times
from tfxla_lint.semantics.safety.keys import classes_of, compares_fields
from tfxla_lint.semantics.units import ClassInfo, Unit
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
    for info in classes_of(model, unit):
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


def made_often(model: Answers, unit: Unit) -> Iterator[cst.CSTNode]:
    """Where a function is made, or the instances whose method it is, more often than a trace pays for:
    each has traces of its own."""
    is_inner = unit.parent is not None and not unit.parent.is_module
    if is_inner and not unit.is_method and is_run_often(model, unit.node):
        yield unit.node
    classes = classes_of(model, unit)
    for call in model.everywhere(cst.Call) if classes else ():
        value = model.value(call.func)
        if value.kind is Kind.CLASS and value.class_ in classes:
            if is_run_often(model, call):
                yield call


def is_run_often(model: Answers, node: cst.CSTNode) -> bool:
    """Whether what is in sight runs a node, in its function or around that, more than a few times."""
    is_repeated = bool(repeating(model, node)) or is_turned(model, node, model.unit(node))
    return is_repeated and not runs_few_times(model, node)


def is_held(model: Answers, edge: Edge) -> bool:
    """Whether the instance whose method is called is alive while the method runs."""
    receiver = edge.receiver
    is_known = receiver.how is Passing.RECEIVER and receiver.node is not None
    return is_known and _is_held(model, receiver.node)


def _is_held(model: Answers, node: cst.BaseExpression | None) -> bool:
    """Whether something that lasts names an object: no call that may make it, no property."""
    if isinstance(node, cst.Name):
        return True
    if isinstance(node, cst.Call):
        return model.names.one(node.func) == "builtins.super"
    if isinstance(node, cst.Subscript):
        return model.value(node.value).kind in _HOLDING and _is_held(model, node.value)
    if not isinstance(node, cst.Attribute):
        return False
    value = model.value(node.value)
    if value.class_ is None:
        return value.kind is Kind.PYTHON_MODULE
    return value.class_.method(node.attr.value) is None and _is_held(model, node.value)
