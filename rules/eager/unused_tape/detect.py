"""Gradient tapes of which nobody asks anything."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge.dtypes import FLOATS
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.passed_on import uses
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.turns import inside_tape
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

#: What a tape can be told when it is made.
_OPTIONS = ("persistent", "watch_accessed_variables")
#: Objects some of whose methods run traced functions.
_TRACING = frozenset({Kind.MODEL, Kind.LAYER, Kind.MODULE, Kind.OBJECT, Kind.UNKNOWN})
_WATCHED = frozenset({Kind.TENSOR, Kind.VARIABLE})


@dataclass(slots=True)
class UnusedTape:
    """A tape that the whole of a `with` statement opens; `watches` only tell it what to record."""

    statement: cst.With
    call: cst.Call
    name: str | None
    watches: list[cst.Call] = field(default_factory=list)

    def watches_tensors(self, model: SemanticModel) -> bool:
        """Whether all that it is told to watch can be watched; it refuses what is no tensor, and
        complains of what has no gradient."""
        if any(len(w.args) != 1 or not _is_named(w.args[0]) for w in self.watches):
            return False
        return all(_can_be_watched(model, a.value) for watch in self.watches for a in watch.args)

    def takes_constants(self, model: SemanticModel) -> bool:
        """Whether nothing is computed for what it is made with, and would go with it."""
        return len(self.call.args) <= len(_OPTIONS) and all(
            isinstance(model.value(argument.value).constant, bool)
            and not any(isinstance(node, cst.Call) for node in walk(argument.value))
            and (argument.keyword is None or argument.keyword.value in _OPTIONS)
            for argument in self.call.args
        )

    def may_run_traces(self, model: SemanticModel) -> bool:
        """Whether the block may run a traced function: under a tape that runs as another graph, with draws
        of its own, of which the way back is traced as well."""
        run = model.calls.run_by([self.statement.body])
        bodies = [self.statement.body, *(body for unit in run for body in unit.body)]
        calls = (node for body in bodies for node in walk(body) if isinstance(node, cst.Call))
        return not all(_runs_as_it_stands(model, call) for call in calls)

    def is_read(self, model: SemanticModel) -> bool:
        """Whether what the block computes is used behind it, so that it serves without a gradient."""
        after = model.flow.liveness(model.unit(self.statement).scope).after(self.statement)
        returns = (isinstance(node, cst.Return) for node in walk(self.statement.body))
        return any(returns) or bool(bound_names([self.statement.body]) & after)


def _can_be_watched(model: SemanticModel, node: cst.BaseExpression) -> bool:
    value = model.value(node)
    if value.kind not in _WATCHED or value.mixed or value.maybe_none:
        return False
    if value.dtype is not None and value.dtype not in FLOATS:
        return False
    if value.kind is Kind.TENSOR:
        return True
    # What Keras 3 makes is no tf.Variable.
    made = makers(model.flow, node)
    calls = (m.func if isinstance(m, cst.Call) else m for m in made)
    return bool(made) and all("tensorflow.Variable" in model.names.of(each) for each in calls)


def _is_named(argument: cst.Arg) -> bool:
    is_placed = argument.keyword is None and not argument.star
    return is_placed and isinstance(argument.value, (cst.Name, cst.Attribute))


def _runs_as_it_stands(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call is known to run no traced function but through calls that are seen."""
    callees = model.callees(call)
    if callees or model.names.of(call.func):
        return all(callee.tracing is None for callee in callees)
    value = model.value(call.func)
    if value.kind is Kind.METHOD:
        return value.receiver is not None and value.receiver.kind not in _TRACING
    return value.kind in KERAS_CALLABLES and not model.ask(_hands_traces_on)


def _hands_traces_on(model: Answers) -> bool:
    """Whether anything but a call gets a traced function: a layer may run it that is made of it."""
    given = (argument.value for argument in model.everywhere(cst.Arg))
    made = (value for value in given if isinstance(value, cst.Call))
    nodes = (*made, *(node for _, node in model.ask(uses)))
    return any(model.value(node).kind is Kind.TRACED for node in nodes)


def unused_tapes(model: SemanticModel) -> Iterator[UnusedTape]:
    """The tapes, alone in their `with` and not nested, that no path reads once they have recorded."""
    for statement in model.nodes(cst.With):
        tape = _opened(model, statement)
        if tape is None or inside_tape(model, statement) or _holds_tape(model, statement):
            continue
        if tape.name is None or _is_forgotten(model, tape, tape.name):
            yield tape


def _opened(model: SemanticModel, statement: cst.With) -> UnusedTape | None:
    if len(statement.items) != 1:
        return None
    call, alias = statement.items[0].item, statement.items[0].asname
    if not isinstance(call, cst.Call) or model.names.one(call.func) != "tensorflow.GradientTape":
        return None
    if any(not model.value(argument.value).has_constant for argument in call.args):
        return None
    if alias is None:
        return UnusedTape(statement, call, None)
    if not isinstance(alias.name, cst.Name):
        return None
    return UnusedTape(statement, call, alias.name.value)


def _holds_tape(model: SemanticModel, statement: cst.With) -> bool:
    inner = (node for node in walk(statement.body) if isinstance(node, cst.WithItem))
    return any(model.value(item.item).kind is Kind.TAPE for item in inner)


def _is_forgotten(model: SemanticModel, tape: UnusedTape, name: str) -> bool:
    """Whether nothing but `watch` is asked of the tape, neither while it records nor after."""
    unit = model.unit(tape.statement)
    if model.binder.scope(tape.statement) is not unit.scope:
        return False
    if name in unit.scope.global_names | unit.scope.nonlocal_names:
        return False
    if name in unit.scope.deleted:
        return False
    if name in model.flow.liveness(unit.scope).after(tape.statement):
        return False
    for node in walk(tape.statement.body):
        if isinstance(node, cst.Name) and node.value == name and _is_value(model, node):
            watch = _watch(model, node)
            if watch is None:
                return False
            tape.watches.append(watch)
    return True


def _is_value(model: SemanticModel, node: cst.Name) -> bool:
    """Whether a name stands for a variable, not for an attribute or a keyword."""
    parent = model.parent(node)
    if isinstance(parent, cst.Attribute):
        return parent.value is node
    return not (isinstance(parent, cst.Arg) and parent.keyword is node)


def _watch(model: SemanticModel, node: cst.Name) -> cst.Call | None:
    method = model.parent(node)
    call = model.parent(method) if method is not None else None
    if not isinstance(method, cst.Attribute) or method.attr.value != "watch":
        return None
    return call if isinstance(call, cst.Call) and call.func is method else None
