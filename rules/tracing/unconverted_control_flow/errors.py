"""Handlers of TensorFlow's own errors in traced code: the graph fails only when it runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.handlers import END_OF_ITERATOR, caught_names, is_of_graphs
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_EXHAUSTED = "OutOfRangeError"


@dataclass(frozen=True, slots=True)
class BlindHandler:
    """An `except` that never sees the error of an op, and the call whose error it waits for."""

    node: cst.CSTNode
    call: cst.Call
    what: str


def blind_handlers(model: SemanticModel, unit: Unit) -> Iterator[BlindHandler]:
    """The handlers of a traced unit that wait for errors of the graph."""
    for node in unit.own(cst.Try):
        for handler in node.handlers:
            found = _judge(model, node, handler)
            if found is not None:
                yield found


def _judge(model: SemanticModel, node: cst.Try, handler: cst.ExceptHandler) -> BlindHandler | None:
    names = caught_names(model, handler)
    if not names or not all(is_of_graphs(name) for name in names):
        return None
    assert handler.type is not None
    for call in walk(node.body, into_scopes=False):
        if not isinstance(call, cst.Call):
            continue
        if _is_next(model, call):
            what = "the end of an iterator is not seen by `except` in a trace"
            return BlindHandler(handler.type, call, what)
        ends_only = all(n == END_OF_ITERATOR or n.endswith("." + _EXHAUSTED) for n in names)
        if not ends_only and _is_op(model, call):
            shown = model.code(handler.type)
            what = f"`except {shown}` does not catch the errors of a graph"
            return BlindHandler(handler.type, call, what)
    return None


def _is_next(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call takes the next element of a dataset's iterator."""
    name = model.names.one(call.func)
    if name == "builtins.next" and len(call.args) == 1:
        source: cst.CSTNode = call.args[0].value
        if isinstance(source, cst.Call) and model.names.one(source.func) == "builtins.iter":
            return bool(source.args) and model.value(source.args[0].value).kind is Kind.DATASET
        return _iterates_dataset(model, source)
    method = model.value(call.func)
    return method.kind is Kind.METHOD and method.name == "get_next" and bool(method.receiver)


def _iterates_dataset(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a name is bound only to `iter(dataset)`."""
    if not isinstance(node, cst.Name):
        return False
    made = makers(model.flow, node)
    return bool(made) and all(
        isinstance(call, cst.Call)
        and model.names.one(call.func) == "builtins.iter"
        and bool(call.args)
        and model.value(call.args[0].value).kind is Kind.DATASET
        for call in made
    )


def _is_op(model: SemanticModel, call: cst.Call) -> bool:
    name = model.names.one(call.func)
    return name is not None and api.is_op(name) and is_symbolic(model, call)
