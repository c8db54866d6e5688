"""Arguments of traced functions that are another object, or another list, on every turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import is_rare
from tfxla_lint.semantics.values import SEQUENCES, VARYING, Kind
from tfxla_lint.semantics.varying.python_arguments import TracedCall, traced_calls, varies

from ..shared.fresh_objects import FreshObject, fresh_object, repeating_loop

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel


@dataclass(frozen=True, slots=True)
class FreshArgument:
    """An argument of a call that `made` describes."""

    traced: TracedCall
    argument: cst.Arg
    made: FreshObject


def fresh_arguments(model: SemanticModel) -> Iterator[FreshArgument]:
    """Those of functions that are themselves made once."""
    for traced in traced_calls(model):
        for argument in traced.call.args:
            made = fresh_object(model, argument.value) or _numbers(model, traced, argument)
            if made is None or argument.star or is_rare(model, traced.call, made.loop):
                continue
            if not _is_made_on_turns(model, traced, made.loop):
                yield FreshArgument(traced, argument, made)


def _is_made_on_turns(model: SemanticModel, traced: TracedCall, loop: Loop) -> bool:
    """Whether turns of a loop make the traced function too, in it or in what it runs."""
    maker = model.unit(traced.tracing.node)
    if not maker.is_module and maker.node not in model.ancestors(loop):
        return True
    return any(node is traced.tracing.node for node in walk(loop))


def _numbers(model: SemanticModel, traced: TracedCall, argument: cst.Arg) -> FreshObject | None:
    """A list of Python numbers that holds others on every turn, or more of them."""
    node, value = argument.value, model.value(argument.value)
    if value.kind not in SEQUENCES:
        return None
    loop = repeating_loop(model, traced.call)
    if isinstance(node, (cst.List, cst.Tuple)):
        changing = (e.value for e in node.elements if varies(model, e.value))
        loop = next((_certain(model, element) for element in changing), None)
    elif not _grows(model, node, loop):
        loop = None
    kind = "tuple" if value.kind is Kind.TUPLE else "list"
    return FreshObject(node, f"a {kind} with other Python values", loop) if loop else None


def _certain(model: SemanticModel, node: cst.BaseExpression) -> Loop | None:
    loop = model.value(node).loop
    is_loop = isinstance(loop, (cst.For, cst.While)) and model.loops.info(loop).is_certain
    return loop if is_loop and isinstance(loop, (cst.For, cst.While)) else None


def _grows(model: SemanticModel, node: cst.BaseExpression, loop: Loop | None) -> bool:
    """Whether turns of the loop append Python numbers to a list that is there before it."""
    value = model.value(node)
    if value.shape != (VARYING,) or value.item is None or loop is None:
        return False
    if not value.item.is_python_scalar or not isinstance(node, cst.Name):
        return False
    inside = {id(inner) for inner in walk(loop)}
    bindings = model.binder.scope(node).lookup(node.value)
    if not bindings or any(id(binding.node) in inside for binding in bindings):
        return False
    return any(_appends(inner, node.value) for inner in walk(loop.body, into_scopes=False))


def _appends(node: cst.CSTNode, name: str) -> bool:
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return False
    holder = node.func.value
    is_append = node.func.attr.value in ("append", "extend", "insert")
    return is_append and isinstance(holder, cst.Name) and holder.value == name
