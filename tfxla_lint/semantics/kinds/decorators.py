"""What decorators make of a function."""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import runners
from tfxla_lint.semantics.kinds import wrappers
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.taught_names import TRACES
from tfxla_lint.semantics.units import Decoration, MethodKind, Unit
from tfxla_lint.semantics.values import Kind, Tracing, Value

_METHOD_KINDS = {
    name: kind
    for trait, kind in (
        (Trait.STATIC_METHOD, MethodKind.STATIC),
        (Trait.CLASS_METHOD, MethodKind.CLASS),
        (Trait.PROPERTY, MethodKind.PROPERTY),
    )
    for name in behaviour.names(trait)
}


def decorated(
    evaluator: Evaluator, node: cst.FunctionDef, unit: Unit, environment: Environment
) -> Value:
    """The value that a `def` binds, with its decorators applied from the innermost out."""
    decoration = Decoration(unit.syntactic_method)
    for decorator in reversed(node.decorators):
        decoration = _applied(evaluator, decorator, decoration, environment)
    if node.decorators:
        evaluator.decorate(unit, decoration)
    tracing = decoration.tracing
    kind = Kind.TRACED if tracing is not None else Kind.FUNCTION
    return Value(kind, unit=unit, name=unit.name, tracing=tracing)


def _applied(
    evaluator: Evaluator, decorator: cst.Decorator, made: Decoration, environment: Environment
) -> Decoration:
    expression = decorator.decorator
    value = evaluator.value(expression, environment)
    head = expression.func if isinstance(expression, cst.Call) else expression
    names = evaluator.names.of(head)
    if value.kind is Kind.TRACER or names == {"tensorflow.function"} or names == {TRACES}:
        options = value.tracing.options if value.tracing is not None else ()
        return replace(made, tracing=Tracing(decorator, options, names != {TRACES}))
    if len(names) == 1:
        name = min(names)
        if name in _METHOD_KINDS:
            return replace(made, method=_METHOD_KINDS[name])
        if runners.keeps(name):
            return made
        if name in runners.LAUNCHING:
            return replace(made, launcher=decorator)
    if isinstance(head, cst.Attribute) and _is_of_launcher(evaluator, head, environment):
        return replace(made, launcher=decorator)
    if isinstance(head, cst.Attribute) and _registers(evaluator, head, environment):
        return replace(made, launcher=decorator, is_turned=True)
    if isinstance(head, cst.Attribute) and head.attr.value in ("setter", "getter", "deleter"):
        return replace(made, method=MethodKind.PROPERTY)
    if wrappers.preserves(evaluator, decorator):
        return made
    return replace(made, unknown=(*made.unknown, decorator))


def _is_of_launcher(evaluator: Evaluator, head: cst.Attribute, environment: Environment) -> bool:
    """Whether a decorator is a command of what a command line runs: `@cli.command()`."""
    if head.attr.value not in runners.COMMANDS:
        return False
    group = evaluator.value(head.value, environment).unit
    return group is not None and evaluator.decoration(group).launcher is not None


def _registers(evaluator: Evaluator, head: cst.Attribute, environment: Environment) -> bool:
    """Whether a decorator makes of a function what answers requests: `@app.route("/")`."""
    holder = evaluator.value(head.value, environment)
    return holder.kind is Kind.OBJECT and runners.registers(holder.name, head.attr.value)
