"""Statements of the abstract interpreter.

A block takes an environment and gives the one after it, or None where control never gets there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import compress
from operator import is_not
from typing import Any

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import runners
from tfxla_lint.semantics.api import ROLES
from tfxla_lint.semantics.kinds import decorators, imports, records
from tfxla_lint.semantics.kinds.annotations import annotation, role_of
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.kinds.iteration import vary
from tfxla_lint.semantics.kinds.operators import arithmetic
from tfxla_lint.semantics.kinds.protocol import member_of
from tfxla_lint.semantics.kinds.targets import assign
from tfxla_lint.semantics.units import Ancestry
from tfxla_lint.semantics.values import (
    TENSOR,
    UNBOUND,
    UNKNOWN,
    Kind,
    Value,
    join,
)

_LOOP_ROUNDS = 2


def run_block(
    evaluator: Evaluator, body: Sequence[cst.CSTNode], environment: Environment
) -> Environment | None:
    """Run the statements of a block in order."""
    current: Environment | None = environment
    for statement in body:
        if current is None:
            # Unreachable code still gets values: a rule must not mistake silence for safety.
            current = dict(environment)
            _run(evaluator, statement, current)
            current = None
            continue
        current = _run(evaluator, statement, current)
    return current


def _run(
    evaluator: Evaluator, statement: cst.CSTNode, environment: Environment
) -> Environment | None:
    if type(statement) is cst.SimpleStatementLine:
        if len(statement.body) != 1:
            return run_block(evaluator, statement.body, environment)
        statement = statement.body[0]
    handler = _HANDLERS.get(type(statement))
    return handler(evaluator, statement, environment) if handler else environment


def join_environments(first: Environment | None, second: Environment | None) -> Environment | None:
    """The environment where two paths meet."""
    if first is None or first is second:
        return second
    if second is None:
        return first
    joined = dict(first)
    for name in _told_apart(second, first):
        old, value = joined.get(name), second[name]
        joined[name] = value if old is None else join(old, value)
    return joined


def _told_apart(new: Environment, old: Environment) -> list[str]:
    """The names of which two environments do not hold the very same value: most do, where a script
    is long."""
    return list(compress(new, map(is_not, new.values(), map(old.get, new))))


def _expression(evaluator: Evaluator, node: cst.Expr, environment: Environment) -> Environment:
    if type(node.value) is not cst.SimpleString:
        evaluator.value(node.value, environment)
    return environment


def _assign(evaluator: Evaluator, node: cst.Assign, environment: Environment) -> Environment:
    value = evaluator.value(node.value, environment)
    for target in node.targets:
        assign(evaluator, target.target, value, environment)
    return environment


def _ann_assign(evaluator: Evaluator, node: cst.AnnAssign, environment: Environment) -> Environment:
    hint = annotation(evaluator, node.annotation.annotation)
    if node.value is not None:
        value = evaluator.value(node.value, environment)
        assign(evaluator, node.target, value if value.is_known else hint, environment)
    return environment


def _aug_assign(evaluator: Evaluator, node: cst.AugAssign, environment: Environment) -> Environment:
    left = evaluator.value(node.target, environment)
    right = evaluator.value(node.value, environment)
    unseen = Kind.UNBOUND in (left.kind, right.kind)
    value = UNBOUND if unseen else arithmetic(left, right)
    if value.is_python_scalar and evaluator.loops:
        value = value._replace(loop=evaluator.loops[-1])
    if left.kind is Kind.VARIABLE and isinstance(node.target, cst.Name):
        value = TENSOR
    if left.kind is Kind.LIST:
        value = join(left, right)._replace(elements=None)
    assign(evaluator, node.target, value, environment)
    return environment


def _return(evaluator: Evaluator, node: cst.Return, environment: Environment) -> None:
    value = (
        evaluator.value(node.value, environment)
        if node.value is not None
        else Value(Kind.NONE, constant=None)
    )
    evaluator.give_result("returns", value)


def _raise(evaluator: Evaluator, node: cst.Raise, environment: Environment) -> None:
    if node.exc is not None:
        evaluator.value(node.exc, environment)


def _jump(evaluator: Evaluator, node: cst.CSTNode, environment: Environment) -> None:
    if evaluator.frames:
        evaluator.frames[-1].append(dict(environment))


def _del(evaluator: Evaluator, node: cst.Del, environment: Environment) -> Environment:
    if isinstance(node.target, cst.Name):
        environment.pop(node.target.value, None)
    return environment


def _assert(evaluator: Evaluator, node: cst.Assert, environment: Environment) -> Environment:
    evaluator.value(node.test, environment)
    if node.msg is not None:
        evaluator.value(node.msg, environment)
    return environment


def _if(evaluator: Evaluator, node: cst.If, environment: Environment) -> Environment | None:
    evaluator.value(node.test, environment)
    otherwise: Environment | None = dict(environment)
    then = run_block(evaluator, node.body.body, environment)
    assert otherwise is not None
    if isinstance(node.orelse, cst.If):
        otherwise = _if(evaluator, node.orelse, otherwise)
    elif isinstance(node.orelse, cst.Else):
        otherwise = run_block(evaluator, node.orelse.body.body, otherwise)
    return join_environments(then, otherwise)


def _loop(
    evaluator: Evaluator,
    node: cst.For | cst.While,
    environment: Environment,
    start: Callable[[Environment], None],
) -> Environment | None:
    evaluator.loops.append(node)
    evaluator.frames.append([])
    current = environment
    for _ in range(_LOOP_ROUNDS):
        entry = dict(current)
        start(current)
        after = run_block(evaluator, node.body.body, current)
        for jumped in evaluator.frames[-1]:
            after = join_environments(after, jumped)
        evaluator.frames[-1].clear()
        joined = join_environments(entry, after) or entry
        changed = _told_apart(joined, entry)
        current = _mark_varying(node, entry, joined, changed)
        if not _changes(entry, current, changed):
            break
    evaluator.frames.pop()
    evaluator.loops.pop()
    if isinstance(node.orelse, cst.Else):
        return run_block(evaluator, node.orelse.body.body, current)
    return current


def _changes(entry: Environment, joined: Environment, changed: Iterable[str]) -> bool:
    """Whether a turn changed what was there before it, so that the next one sees something new."""
    return any(name in entry and joined[name] != entry[name] for name in changed)


def _mark_varying(
    node: cst.CSTNode, entry: Environment, joined: Environment, changed: Iterable[str]
) -> Environment:
    """Python scalars that a turn of the loop changed vary with the loop."""
    for name in changed:
        value, before = joined[name], entry.get(name)
        if before is not None and before != value and value.is_python_scalar:
            joined[name] = value._replace(loop=value.loop or node)
    return joined


def _for(evaluator: Evaluator, node: cst.For, environment: Environment) -> Environment | None:
    iterated = evaluator.value(node.iter, environment)

    def start(current: Environment) -> None:
        item = vary(member_of(evaluator, iterated), node)
        assign(evaluator, node.target, item, current)

    return _loop(evaluator, node, environment, start)


def _while(evaluator: Evaluator, node: cst.While, environment: Environment) -> Environment | None:
    def start(current: Environment) -> None:
        evaluator.value(node.test, current)

    return _loop(evaluator, node, environment, start)


def _with(evaluator: Evaluator, node: cst.With, environment: Environment) -> Environment | None:
    for item in node.items:
        value = evaluator.value(item.item, environment)
        if item.asname is not None:
            # What a context gives its `as` is another thing: `tf.name_scope` the name of the scope.
            given = UNKNOWN if value.kind is Kind.CONTEXT else value
            assign(evaluator, item.asname.name, given, environment)
    return run_block(evaluator, node.body.body, environment)


def _try(
    evaluator: Evaluator, node: cst.Try | cst.TryStar, environment: Environment
) -> Environment | None:
    before = dict(environment)
    after = run_block(evaluator, node.body.body, environment)
    broken = join_environments(before, after) or before
    if node.orelse is not None and after is not None:
        after = run_block(evaluator, node.orelse.body.body, after)
    for handler in node.handlers:
        caught = dict(broken)
        if handler.name is not None:
            assign(evaluator, handler.name.name, UNKNOWN, caught)
        after = join_environments(after, run_block(evaluator, handler.body.body, caught))
    if node.finalbody is not None:
        final = run_block(evaluator, node.finalbody.body.body, dict(after or broken))
        return final if after is not None else None
    return after


def _match(evaluator: Evaluator, node: cst.Match, environment: Environment) -> Environment | None:
    evaluator.value(node.subject, environment)
    after: Environment | None = dict(environment)
    for case in node.cases:
        after = join_environments(after, run_block(evaluator, case.body.body, dict(environment)))
    return after


def _function_def(
    evaluator: Evaluator, node: cst.FunctionDef, environment: Environment
) -> Environment:
    unit = evaluator.units.of(node)
    assert unit is not None
    value = decorators.decorated(evaluator, node, unit, environment)
    evaluator.write(node.name.value, node, value, environment)
    return environment


def _class_def(evaluator: Evaluator, node: cst.ClassDef, environment: Environment) -> Environment:
    info = evaluator.units.class_of(node)
    assert info is not None
    ancestry = Ancestry()
    for argument in node.bases:
        ancestry = _with_base(evaluator, ancestry, argument, environment)
    taught = evaluator.names.taught.of_definition(info.scope.module, info.name)
    if taught is not None and info.scope.parent is info.scope.module:
        ancestry = replace(ancestry, role=role_of([taught]) or ancestry.role)
    evaluator.derive(info, ancestry)
    made = Value(Kind.CLASS, class_=info)
    for decorator in node.decorators:
        applied = evaluator.value(decorator.decorator, environment)
        if applied.kind is Kind.FUNCTION and applied.unit is not None:
            evaluator.invoke(applied.unit, [(None, made)])
    body: Environment = {}
    run_block(evaluator, node.body.body, body)
    body.update(records.declared(evaluator, node, body))
    for name, value in body.items():
        if name not in info.methods:
            evaluator.set_attribute(info, name, value)
    evaluator.write(node.name.value, node, made, environment)
    return environment


def _with_base(
    evaluator: Evaluator, made: Ancestry, argument: cst.Arg, environment: Environment
) -> Ancestry:
    value = evaluator.value(argument.value, environment)
    names = evaluator.names.of(argument.value)
    if value.class_ is not None and value.kind is Kind.CLASS:
        base = evaluator.ancestry(value.class_)
        return Ancestry(
            base.role if made.role is Kind.OBJECT else made.role,
            (*made.names, *base.names),
            (*made.bases, value.class_),
            made.is_unknown or base.is_unknown,
            made.may_trace or base.may_trace,
        )
    made = replace(made, names=(*made.names, *sorted(names)))
    role = role_of(names)
    if role is not None:
        return replace(made, role=role)
    if value.kind is Kind.UNBOUND or names & ROLES.keys() or names & _HARMLESS_BASES:
        return made
    may_trace = made.may_trace or not runners.leaves_methods_alone(names)
    return replace(made, is_unknown=True, may_trace=may_trace)


_HARMLESS_BASES = behaviour.names(Trait.PLAIN_BASE) | {"typing.NamedTuple", "enum.Enum"}

_HANDLERS: dict[type, Callable[..., Any]] = {
    cst.Expr: _expression,
    cst.Assign: _assign,
    cst.AnnAssign: _ann_assign,
    cst.AugAssign: _aug_assign,
    cst.Return: _return,
    cst.Raise: _raise,
    cst.Break: _jump,
    cst.Continue: _jump,
    cst.Del: _del,
    cst.Assert: _assert,
    cst.If: _if,
    cst.For: _for,
    cst.While: _while,
    cst.With: _with,
    cst.Try: _try,
    cst.TryStar: _try,
    cst.Match: _match,
    cst.FunctionDef: _function_def,
    cst.ClassDef: _class_def,
    cst.Import: imports.run,
    cst.ImportFrom: imports.run,
}
if hasattr(cst, "LazyImport"):
    _HANDLERS[cst.LazyImport] = imports.run
    _HANDLERS[cst.LazyImportFrom] = imports.run
