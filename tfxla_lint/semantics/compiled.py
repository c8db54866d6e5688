"""Code that XLA compiles: what `jit_compile=True` reaches, through calls and nested tf.functions."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.guards import exits_before, python_tests_around
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_KERAS_ENTRIES = sorted(behaviour.methods(Trait.KERAS_ENTRY, "model"))


@dataclass(frozen=True, slots=True)
class Compiled:
    """A unit that XLA compiles: `root` asks for it, `calls` lead from there to the unit."""

    unit: Unit
    root: cst.CSTNode
    calls: tuple[cst.CSTNode, ...] = ()


def compiled_units(model: SemanticModel) -> list[Compiled]:
    """The units of the module that are proved to be compiled, each with its shortest chain of calls.

    A nested `tf.function` is compiled with its caller, whatever it says itself.
    """
    if functions_run_eagerly(model) is not None:
        return []
    return [compiled for compiled in compiled_everywhere(model) if model.is_own(compiled.unit.node)]


def compiled_everywhere(model: Answers) -> list[Compiled]:
    """Those of all modules, whatever switches of one of them say."""
    return model.ask(_find)


def _find(model: Answers) -> list[Compiled]:
    found: dict[int, Compiled] = {}
    pending = deque(_roots(model))
    while pending:
        current = pending.popleft()
        if id(current.unit) in found:
            continue
        found[id(current.unit)] = current
        for node, unit in _runs(model, current.unit):
            pending.append(Compiled(unit, current.root, (*current.calls, node)))
    return list(found.values())


def surely_runs(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a trace of the function around `node` gets to it, whatever Python values there are."""
    return not python_tests_around(model, node) and not exits_before(model, node)


def _roots(model: Answers) -> Iterator[Compiled]:
    uses = model.uses  # Asking for them makes the model evaluate the decorators, too.
    for unit in model.every_unit:
        if unit.tracing is not None and unit.tracing.is_compiled:
            yield Compiled(unit, unit.tracing.node)
    for use in uses:
        if use.tracing is not None and use.tracing.is_compiled:
            yield Compiled(use.unit, use.tracing.node)
    for argument in model.everywhere(cst.Arg):
        yield from _keras_roots(model, argument)


def _keras_roots(model: Answers, argument: cst.Arg) -> Iterator[Compiled]:
    """`model.compile(jit_compile=True)` for a model of a first-party class."""
    call = model.parent(argument)
    if argument.keyword is None or argument.keyword.value != "jit_compile":
        return
    if not isinstance(argument.value, cst.Name) or argument.value.value != "True":
        return
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return
    holder = model.value(call.func.value)
    if call.func.attr.value == "compile" and holder.kind is Kind.MODEL and holder.class_:
        for name in _KERAS_ENTRIES:
            unit = holder.class_.method(name)
            if unit is not None:
                yield Compiled(unit, call)


def _runs(model: Answers, unit: Unit) -> Iterator[tuple[cst.CSTNode, Unit]]:
    """The calls of a unit that surely run first-party code in its own context, and that code."""
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.Call) and surely_runs(model, node):
            yield from ((node, callee.unit) for callee in model.callees(node))
            yield from (
                (node, use.unit) for use in model.uses if use.node is node and use.how == "inherits"
            )
