"""Branches and loops of traced code that a Python parameter decides while the function is traced."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.turns import is_rare
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.varying.python_arguments import TracedCall, traced_calls, varies

from ..shared.turn_counts import Count, count_values

if TYPE_CHECKING:
    from tfxla_lint.semantics.loops import Loop
    from tfxla_lint.semantics.model import SemanticModel

Deciding: TypeAlias = "cst.If | cst.While | cst.IfExp | cst.Call"
#: From this many traces on, TensorFlow itself warns.
_MANY = 5
_INSPECTING = behaviour.names(Trait.INSPECTS)


@dataclass(frozen=True, slots=True)
class Branch:
    """`node` (a test's statement, or a call of `range`) asks for the parameter at `read`."""

    node: Deciding
    read: cst.Name


@dataclass(frozen=True, slots=True)
class VaryingCall:
    """A call that passes a Python value that changes with the turns of `loop`."""

    traced: TracedCall
    argument: cst.Arg
    loop: Loop
    count: Count | None


@dataclass(frozen=True, slots=True)
class PythonBranch:
    """A parameter of a traced function, what it decides there, and the calls that vary it."""

    unit: Unit
    parameter: Parameter
    branches: list[Branch]
    calls: list[VaryingCall] = field(default_factory=list)


def python_branches(model: SemanticModel) -> Iterator[PythonBranch]:
    """The parameters that decide a branch and take many values, by the function they belong to."""
    found: dict[tuple[int, str], PythonBranch] = {}
    for traced in traced_calls(model):
        for argument in traced.call.args:
            parameter = traced.parameter(argument)
            call = _varying(model, traced, argument)
            if parameter is None or traced.unit is None or call is None:
                continue
            key = (id(traced.unit), parameter.name)
            if key not in found:
                branches = list(branches_on(model, traced.unit, parameter.name))
                found[key] = PythonBranch(traced.unit, parameter, branches)
            found[key].calls.append(call)
    yield from (branch for branch in found.values() if branch.branches)


def _varying(model: SemanticModel, traced: TracedCall, argument: cst.Arg) -> VaryingCall | None:
    loop = model.value(argument.value).loop
    if not isinstance(loop, (cst.For, cst.While)) or not varies(model, argument.value):
        return None
    if not model.loops.info(loop).is_certain or is_rare(model, traced.call, loop):
        return None
    count = count_values(model, argument.value, loop, traced.call)
    if count is not None and count.number < _MANY:
        return None
    return VaryingCall(traced, argument, loop, count)


def branches_on(
    model: SemanticModel, unit: Unit, name: str, asked: frozenset[int] = frozenset()
) -> Iterator[Branch]:
    """What a parameter decides in a unit, or in the first-party functions that it is passed to."""
    if len(unit.scope.bindings.get(name, ())) != 1:
        return
    for read in unit.scope.reads.get(name, []):
        node = _decided(model, read)
        if node is not None:
            yield Branch(node, read)
        elif id(read) not in asked:
            yield from _passed_on(model, read, asked | {id(read)})


def _decided(model: SemanticModel, read: cst.Name) -> Deciding | None:
    """The `if`, `while`, conditional expression or `range` that needs the number at `read`."""
    child: cst.CSTNode = read
    for parent in model.ancestors(read):
        if isinstance(parent, (cst.If, cst.While, cst.IfExp)):
            return parent if child is parent.test else None
        if isinstance(parent, cst.Call):
            is_range = model.names.one(parent.func) == "builtins.range"
            return parent if is_range else None
        if isinstance(parent, cst.ComparisonTarget) and isinstance(
            parent.operator, (cst.Is, cst.IsNot)
        ):
            return None
        if isinstance(parent, cst.Comparison) and _is_identity(parent):
            return None
        if isinstance(parent, (cst.BaseStatement, cst.BaseSmallStatement)):
            return None
        child = parent
    return None


def _is_identity(node: cst.Comparison) -> bool:
    """`step is None`, which asks for no value."""
    return any(isinstance(target.operator, (cst.Is, cst.IsNot)) for target in node.comparisons)


def _passed_on(model: SemanticModel, read: cst.Name, asked: frozenset[int]) -> Iterator[Branch]:
    argument = model.parent(read)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call) or model.names.of(call.func) & _INSPECTING:
        return
    for edge in model.calls.at(call):
        for parameter in edge.callee.parameters:
            if edge.argument(parameter.name) is read:
                yield from branches_on(model, edge.callee, parameter.name, asked)
