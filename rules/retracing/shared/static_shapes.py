"""Whether a traced function still works, and computes the same, where it can't see a size.

A trace with relaxed shapes knows a dimension that varies as None only.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Shape, Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.retracing.seen_signatures import Spec
from tfxla_lint.semantics.safety.open_sizes import says_which
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_TF = "tensorflow."
#: What needs the size of a dimension while tracing.
_READING = behaviour.names(Trait.NEEDS_STATIC) | behaviour.names(Trait.READS_SIZE)
_ATTRIBUTES = frozenset({"shape", "get_shape", "set_shape"})
_HARMLESS = frozenset(
    {Kind.TAPE, Kind.OPTIMIZER, Kind.VARIABLE, Kind.LOSS, Kind.METRIC, Kind.DTYPE}
)
_FINE = frozenset({_TF + "GradientTape", _TF + "name_scope", _TF + "control_dependencies"})


class Reliance(IntEnum):
    """How far a function relies on the sizes that its traces know."""

    NONE = 0
    UNKNOWN = 1
    READS = 2


def reliance(model: SemanticModel, unit: Unit, dimension: int | None) -> Reliance:
    """The strongest reliance of a unit on sizes of `dimension`, through calls."""

    def called(unit: Unit) -> list[Unit]:
        calls = (node for node in unit.nodes() if isinstance(node, cst.Call))
        return [callee.unit for call in calls for callee in model.callees(call)]

    found = Reliance.NONE
    for each in closure([unit], called):
        found = max(found, _of_own(model, each, dimension))
        if found is Reliance.READS:
            break
    return found


def _of_own(model: SemanticModel, unit: Unit, dimension: int | None) -> Reliance:
    """The strongest reliance of a unit's own code."""
    found = Reliance.NONE if not model.ask(Safety).unit_blockers(unit) else Reliance.UNKNOWN
    for node in unit.nodes():
        if isinstance(node, cst.Call):
            found = max(found, _call(model, node))
        elif isinstance(node, cst.Attribute) and node.attr.value in _ATTRIBUTES:
            found = max(found, _attribute(model, node, dimension))
        elif isinstance(node, (cst.For, cst.While, cst.CompFor)):
            found = max(found, Reliance.UNKNOWN)
        if found is Reliance.READS:
            break
    return found


def reliance_of(model: SemanticModel, unit: Unit, specs: Sequence[Spec]) -> Reliance:
    """The strongest reliance of a unit on sizes that a signature leaves open."""
    is_open = (place for shape, _ in specs for place, size in enumerate(shape) if size is None)
    return max((reliance(model, unit, place) for place in set(is_open)), default=Reliance.NONE)


def _attribute(model: SemanticModel, node: cst.Attribute, dimension: int | None) -> Reliance:
    """`x.shape`, unless it is that of a variable or asks for another dimension."""
    if model.value(node.value).kind is Kind.VARIABLE:
        return Reliance.NONE
    parent = model.parent(node)
    if isinstance(parent, cst.Subscript) and len(parent.slice) == 1:
        index = parent.slice[0].slice
        asked = model.value(index.value).constant if isinstance(index, cst.Index) else None
        if type(asked) is int and dimension is not None and asked != dimension:
            return Reliance.NONE if (asked < 0) == (dimension < 0) else Reliance.UNKNOWN
    return Reliance.READS


def _call(model: SemanticModel, node: cst.Call) -> Reliance:
    """A call of what is no function of the project: those have code of their own."""
    if model.callees(node):
        return Reliance.NONE
    name = model.names.one(node.func)
    if name is None:
        receiver = model.value(node.func).receiver
        is_harmless = receiver is not None and receiver.kind in _HARMLESS
        return Reliance.NONE if is_harmless else Reliance.UNKNOWN
    if name in _READING:
        given = [model.value(argument.value) for argument in node.args]
        is_python = bool(given) and all(v.is_python_scalar for v in given)
        return Reliance.UNKNOWN if is_python else Reliance.READS
    if behaviour.of(name).shape is Shape.SQUEEZE and not says_which(model, node):
        # Which dimensions go hangs on their sizes, and so does the rank.
        return Reliance.READS
    if name in api.STATEFUL_RANDOM or not api.is_op(name) or name.startswith(api.KERAS):
        return Reliance.NONE if name in _FINE else Reliance.UNKNOWN
    return Reliance.NONE
