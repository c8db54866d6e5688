"""Attributes of the abstract interpreter: what `value.name` is."""

from __future__ import annotations

from functools import lru_cache

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.dtypes import dtype_named
from tfxla_lint.semantics import api
from tfxla_lint.semantics.kinds.command_line import is_told
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import (
    INT,
    KERAS_CALLABLES,
    KERAS_VARIABLE,
    NONE,
    STRING,
    UNBOUND,
    UNKNOWN,
    Kind,
    Value,
    entry_of,
    join_all,
    list_of,
    of_constant,
    sequence,
)

_KERAS_KINDS = (Kind.MODEL, Kind.LAYER, Kind.MODULE)
_METHOD_OWNERS = frozenset(Kind) - {Kind.UNKNOWN, Kind.UNBOUND, Kind.PYTHON_MODULE}


def read(evaluator: Evaluator, node: cst.Attribute, environment: Environment) -> Value:
    """The value of an attribute expression."""
    key = id(node)
    known = evaluator.fixed.get(key)
    if known is not None:
        return known
    if key not in evaluator.inner:
        names = evaluator.names.of(node)
        if names:
            known = evaluator.fixed[key] = _outside(names)
            return known
        member = evaluator.names.member(node)
        if member is not None:
            return evaluator.member(member)
        evaluator.inner.add(key)
    holder = evaluator.value(node.value, environment)
    name = node.attr.value
    if holder.kind is Kind.UNBOUND:
        return UNBOUND
    if holder.choices:
        return join_all([of_value(evaluator, choice, name) for choice in holder.choices])
    return of_value(evaluator, holder, name)


def of_value(evaluator: Evaluator, holder: Value, name: str) -> Value:
    """What `holder.name` is."""
    if name == "__call__" and holder.kind in KERAS_CALLABLES and holder.name != "super":
        return holder
    if holder.class_ is not None:
        own = _own(evaluator, holder, name)
        if own is not None:
            return own
        if holder.kind is Kind.OBJECT and evaluator.is_enumeration(holder.class_):
            return STRING if name == "name" else UNKNOWN
    if is_told(holder):
        return evaluator.command_line.option(name)
    known = builtin_attribute(holder, name)
    if known is not None:
        return known
    if holder.class_ is not None and evaluator.awaits_attribute(holder.class_, name):
        return UNBOUND
    if holder.kind in _METHOD_OWNERS:
        return Value(Kind.METHOD, name=name, receiver=holder)
    return UNKNOWN


def _shape(array: Value) -> Value:
    """`array.shape`, with the sizes that are known."""
    if array.shape is None or Ellipsis in array.shape:
        return list_of(INT, Kind.TUPLE)
    sizes = (of_constant(size) if type(size) is int else INT for size in array.shape)
    return sequence(Kind.TUPLE, tuple(sizes))


def _outside(names: frozenset[str]) -> Value:
    """A name of an outside module."""
    if len(names) != 1:
        return UNKNOWN
    return of_outside_name(min(names))


@lru_cache(4096)
def of_outside_name(name: str) -> Value:
    """What is known of a name of an outside module by itself."""
    if name in ("numpy.pi", "numpy.e", "math.pi", "math.e", "numpy.inf", "math.inf"):
        return Value(Kind.FLOAT, name=name)
    if api.is_tensorflow(name) and dtype_named(name.rpartition(".")[2]) is not None:
        return Value(Kind.DTYPE, name=name)
    return Value(Kind.UNKNOWN, name=name)


def _own(evaluator: Evaluator, holder: Value, name: str) -> Value | None:
    """An attribute or method that the first-party class defines."""
    assert holder.class_ is not None
    units = evaluator.methods(holder, name)
    if not units:
        if holder.name == "super":
            return None
        known = [evaluator.attribute(info, name) for info in evaluator.classes(holder)]
        found = [value for value in known if value is not None]
        if found and holder.kind is Kind.CLASS and evaluator.is_enumeration(holder.class_):
            return evaluator.instance(holder.class_)
        return join_all(found) if found else None
    if evaluator.decoration(units[0]).method is MethodKind.PROPERTY:
        return join_all([evaluator.invoke(unit, [], skip=1) for unit in units])
    return _bind_method(evaluator, holder, units[0], name)


def told(owner: str, name: str) -> Value | None:
    """What the table of behaviour says of an attribute, or of what a method gives."""
    row = behaviour.of(f"@{owner}.{name}")
    if row.result is None:
        return None
    kind = api.kind_of(row)
    if kind is Kind.NONE:
        return NONE
    return list_of(Value(api.kind_named(row.of)), kind) if row.of else Value(kind)


def builtin_attribute(holder: Value, name: str) -> Value | None:
    """What the attributes of TensorFlow's and NumPy's own objects are."""
    if holder.kind in _KERAS_KINDS:
        return of_keras(holder, told("keras", name))
    if holder.kind in (Kind.TENSOR, Kind.VARIABLE, Kind.KERAS_TENSOR):
        return told("tensor", name)
    if holder.kind is Kind.CALLBACK:
        return told("callback", name)
    if holder.kind is Kind.CHECKPOINT:
        tracked = entry_of(holder, name)
        return tracked if tracked.is_known else None
    if holder.kind is Kind.NDARRAY:
        return _shape(holder) if name == "shape" else told("array", name)
    if holder.kind is Kind.OPTIMIZER:
        if name in ("learning_rate", "lr"):
            return Value(Kind.VARIABLE, name=KERAS_VARIABLE)
        if name == "iterations":
            return Value(Kind.VARIABLE, dtype="int64", name=KERAS_VARIABLE)
    return None


def of_keras(holder: Value, value: Value | None) -> Value | None:
    """What a layer or a model gives, whose variables are those of Keras; a `tf.Module` has TensorFlow's own."""
    if value is None or holder.kind is Kind.MODULE:
        return value
    if value.kind is Kind.VARIABLE:
        return value._replace(name=KERAS_VARIABLE)
    if value.kind is Kind.KERAS_TENSOR:
        # A model with code of its own has none, unless it is built of symbolic tensors as well.
        return value._replace(by_use=holder.class_ is not None)
    return value._replace(item=of_keras(holder, value.item))


def _bind_method(evaluator: Evaluator, value: Value, unit: Unit, name: str) -> Value:
    """The method `unit` as read from the object or class `value`."""
    decoration = evaluator.decoration(unit)
    tracing = decoration.tracing
    is_unbound = value.kind is Kind.CLASS and decoration.method is MethodKind.INSTANCE
    if decoration.method is MethodKind.STATIC or is_unbound:
        kind = Kind.TRACED if tracing else Kind.FUNCTION
        return Value(kind, unit=unit, name=name, tracing=tracing)
    receiver = value._replace(constant=UNKNOWN.constant)
    return Value(Kind.METHOD, unit=unit, name=name, receiver=receiver, tracing=tracing)
