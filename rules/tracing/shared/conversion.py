"""Traced code that AutoGraph does not convert at all, so that its tensors drive no control flow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Autograph
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind

_TF = "tensorflow."
#: Functions that run what they are given as it stands.
_RAW_RUNNERS = behaviour.names(Autograph.RAW)
_RAW_DECORATORS = behaviour.names(Autograph.RAW)


@dataclass(frozen=True, slots=True)
class Unconverted:
    """Why code is not converted: the `node` that says so and words for it.

    `is_switch` is set where the node is `autograph=False`.
    """

    node: cst.CSTNode
    why: str
    is_switch: bool = False


def unconverted(model: SemanticModel, unit: Unit) -> Unconverted | None:
    """Why AutoGraph does not convert a traced unit; None where it does, or may."""
    return model.ask(_unconverted, unit)


def _unconverted(model: Answers, unit: Unit) -> Unconverted | None:
    route = model.contexts.traced(unit)
    if route is None:
        return None
    switch = route.tracing.option("autograph") if route.tracing is not None else None
    if isinstance(switch, cst.Name) and switch.value == "False":
        return Unconverted(switch, "`autograph=False` leaves it as it is", is_switch=True)
    for node in (route.root, *route.calls):
        runner = model.ask(_runner, node)
        if runner is not None:
            return runner
    for member in _units_on(model, route, unit):
        found = _falls_back(model, member)
        if found is not None:
            return found
    return None


def _runner(model: Answers, node: cst.CSTNode) -> Unconverted | None:
    """Why what a step of a route runs is not converted."""
    if isinstance(node, cst.FunctionDef):
        return _keras(model, node.name, model.unit(node.body).class_)
    if not isinstance(node, cst.Call):
        return None
    name = model.names.one(node.func)
    if name in _RAW_RUNNERS:
        return Unconverted(node, f"`{_shown(name or '')}` runs it as it is")
    function = model.value(node.func)
    is_loop = function.kind is Kind.METHOD and function.name in api.KERAS_LOOP_METHODS
    if function.kind in KERAS_CALLABLES or is_loop:
        holder = function.receiver if is_loop else function
        return _keras(model, node, holder.class_ if holder is not None else None)
    return None


def _shown(name: str) -> str:
    return name.removeprefix("builtins.").replace(_TF, "tf.")


def _keras(model: Answers, node: cst.CSTNode, info: ClassInfo | None) -> Unconverted | None:
    is_raw = model.world.runs_keras_3(node, info)
    return Unconverted(node, "Keras 3 runs it as it is") if is_raw else None


def _units_on(model: Answers, route: Route, unit: Unit) -> Iterator[Unit]:
    """The units that a route passes, and the functions in which they are written."""
    seen: set[int] = set()
    for member in (unit, *(model.unit(call) for call in reversed(route.calls))):
        current: Unit | None = member
        while current is not None and not current.is_module and id(current) not in seen:
            seen.add(id(current))
            if model.contexts.traced(current) is not None:
                yield current
            current = current.parent


_BREAKING = frozenset({cst.NamedExpr, cst.For, cst.While})


def _falls_back(model: Answers, unit: Unit) -> Unconverted | None:
    """What AutoGraph does not know, and gives up a whole function for."""
    return model.ask(_unknown_part, unit)


def _unknown_part(model: Answers, unit: Unit) -> Unconverted | None:
    if isinstance(unit.node, cst.FunctionDef):
        for decorator in unit.node.decorators:
            if model.names.of(decorator.decorator) & _RAW_DECORATORS:
                return Unconverted(decorator, "this decorator leaves it as it is")
    if unit.is_generator:
        return Unconverted(_head(unit), "AutoGraph does not convert generators")
    for node in walk(unit.node):
        if type(node) not in _BREAKING:
            continue
        if isinstance(node, cst.NamedExpr):
            return Unconverted(node, f"AutoGraph converts none of `{unit.name}` because of `:=`")
        if isinstance(node, (cst.For, cst.While)) and node.orelse is not None:
            word = "for" if isinstance(node, cst.For) else "while"
            why = f"AutoGraph converts none of `{unit.name}` because of `{word} ... else`"
            return Unconverted(node, why)
    return None


def _head(unit: Unit) -> cst.CSTNode:
    return unit.node.name if isinstance(unit.node, cst.FunctionDef) else unit.node
