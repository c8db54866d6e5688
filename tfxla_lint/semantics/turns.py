"""What one turn of a loop does: whether it always reaches a node, and whether it runs a whole
loop of steps itself (an epoch, an episode)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_IDLE = frozenset({"builtins.input", "time.sleep"})
#: A loop over more "epochs" than these makes one step in each.
_MANY_EPOCHS = 500
#: A step that runs once in so many turns is still worth a trace.
_SHORT_PERIOD = 8
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
#: What may run a loop of steps.
_RUNNING = frozenset({cst.For, cst.While, cst.Call})


def conditions(model: Answers, node: cst.CSTNode, loop: Loop) -> Iterator[cst.CSTNode]:
    """What may keep a turn of `loop` from reaching `node`, nearest first.

    These are the tests of `if` statements and expressions, left sides of `and` and `or`, `except`
    handlers, nested functions, and `continue` statements that stand before.
    """
    child, parent = node, model.parent(node)
    while parent is not None and child is not loop:
        if isinstance(parent, (cst.If, cst.IfExp)) and child is not parent.test:
            yield parent.test
        elif isinstance(parent, cst.BooleanOperation) and child is parent.right:
            yield parent.left
        elif isinstance(parent, (cst.ExceptHandler, cst.MatchCase, *_SCOPES)):
            yield parent
        elif isinstance(parent, cst.IndentedBlock):
            yield from _skips(model, parent, child, loop)
        child, parent = parent, model.parent(parent)


def _skips(
    model: Answers, block: cst.IndentedBlock, until: cst.CSTNode, loop: Loop
) -> Iterator[cst.CSTNode]:
    """The tests under which an earlier statement of the block goes on to the next turn."""
    continues = model.loops.continues(loop)
    if not continues:
        return
    for statement in block.body:
        if statement is until:
            return
        for inner in continues:
            if statement in model.ancestors(inner):
                yield next(conditions(model, inner, loop), inner)


def is_periodic(test: cst.CSTNode) -> bool:
    """Whether a condition holds on a few turns only (`step % 100 == 0`, `step == last`)."""
    for node in walk(test):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
            return True
    return False


def is_frequent(model: Answers, test: cst.CSTNode) -> bool:
    """Whether a condition holds every few turns, by a period that is known (`step % 4 == 0`)."""
    for node in walk(test):
        if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
            period = model.value(node.right)
            if not isinstance(period.constant, int) or not 0 < period.constant <= _SHORT_PERIOD:
                return False
    return is_periodic(test)


def is_rare(model: Answers, node: cst.CSTNode, loop: Loop) -> bool:
    """Whether `node` stands in `loop`, but under a condition that holds on a few turns only."""
    return loop in model.ancestors(node) and any(
        is_periodic(test) or isinstance(test, (cst.ExceptHandler, *_SCOPES))
        for test in conditions(model, node, loop)
    )


def is_run_once(model: Answers, unit: Unit) -> bool:
    """Whether a program runs `unit` once only: the module, `main`, and what these call once."""
    edges = model.calls.untraced(unit)
    if unit.is_module or (not edges and unit.name == "main"):
        return True
    if len(edges) != 1 or edges[0].caller is unit:
        return False
    for ancestor in model.ancestors(edges[0].node):
        if isinstance(ancestor, (cst.For, cst.While, cst.BaseComp)):
            return False
        if ancestor is edges[0].caller.node:
            break
    return is_run_once(model, edges[0].caller)


def runs_steps(model: Answers, loop: Loop) -> bool:
    """Whether every turn of `loop` runs a loop of steps: an epoch or an episode, not a step."""
    if _is_named_epoch(model, loop):
        return True
    for node in walk(loop.body, into_scopes=False):
        if type(node) not in _RUNNING:
            continue
        if _holds_steps(model, node) and not any(conditions(model, node, loop)):
            return True
    return False


def _is_named_epoch(model: Answers, loop: Loop) -> bool:
    """Whether the author calls the turns epochs (thousands of them are steps all the same)."""
    turns = model.loops.info(loop).turns
    if isinstance(loop, cst.While) or (turns is not None and turns > _MANY_EPOCHS):
        return False
    names = (n for n in (*walk(loop.target), *walk(loop.iter)) if isinstance(n, cst.Name))
    return any("epoch" in name.value.lower() for name in names)


def inside_tape(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a gradient tape of the same function records `node`."""
    for ancestor in model.ancestors(node):
        if type(ancestor) in _SCOPES:
            return False
        if type(ancestor) is cst.With:
            if any(model.value(item.item).kind is Kind.TAPE for item in ancestor.items):
                return True
    return False


def is_taped(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a gradient tape may record `node`, here or in a caller."""
    pending, seen = [node], set[int]()
    while pending:
        current = pending.pop()
        if inside_tape(model, current):
            return True
        unit = model.unit(current)
        if id(unit) not in seen:
            seen.add(id(unit))
            pending += [edge.node for edge in model.calls.untraced(unit)]
    return False


def _holds_steps(model: Answers, node: cst.CSTNode) -> bool:
    """Whether what a loop or a call runs holds a loop of steps."""
    found, pending = _steps_at(model, node)
    seen: set[int] = set()
    while pending and not found:
        unit = pending.pop()
        if id(unit) in seen:
            continue
        seen.add(id(unit))
        for inner in walk(unit.node, into_scopes=False):
            if type(inner) in _RUNNING:
                found, more = _steps_in(model, unit, inner)
                pending += more
                if found:
                    break
    return found


def _steps_at(model: Answers, node: cst.CSTNode) -> tuple[bool, list[Unit]]:
    """Whether a loop or a call runs steps by itself, and the functions that may."""
    if inside_tape(model, node):
        return False, []
    if isinstance(node, (cst.For, cst.While)):
        return not model.loops.info(node).is_short and works(model, node), []
    assert isinstance(node, cst.Call)
    function = model.value(node.func)
    if function.kind is Kind.METHOD and function.unit is None and function.receiver is not None:
        if function.receiver.kind is Kind.MODEL and function.name in _WHOLE_LOOPS:
            return True, []
    if function.kind in (Kind.MODEL, Kind.LAYER):
        return False, []
    return False, [callee.unit for callee in model.callees(node)]


_WHOLE_LOOPS = api.KERAS_LOOP_METHODS - behaviour.methods(Trait.ONE_BATCH) - {"predict"}


def _steps_in(model: Answers, unit: Unit, node: cst.CSTNode) -> tuple[bool, list[Unit]]:
    """The same in a function that is called; a loop of plain ops is part of one traced step."""
    if isinstance(node, (cst.For, cst.While)) and model.contexts.traced(unit) is not None:
        over_dataset = model.loops.info(node).over == "dataset"
        return over_dataset or bool(model.works.of_body(node).gradients), []
    return _steps_at(model, node)


def works(model: Answers, loop: Loop) -> bool:
    """Whether the turns of a loop do tensor work."""
    work = model.works.of_body(loop)
    return work.total > 0 or bool(work.traced_calls)


def _idles(model: Answers, loop: Loop) -> bool:
    """Whether the turns wait for a person or a clock."""
    calls = (node for node in walk(loop.body) if isinstance(node, cst.Call))
    return any(model.names.of(call.func) & _IDLE for call in calls)


def step_loop(model: Answers, node: cst.CSTNode) -> Loop | None:
    """The innermost loop that surely runs `node` many times, directly or through calls.

    None where there is none, where the code may be traced, where a condition thins the turns
    out, or where the loop is one of epochs.
    """
    unit = model.unit(node)
    route = model.contexts.eager(unit)
    if route is None or not model.contexts.is_only_eager(unit):
        return None
    loops = [*route.loops, *model.loops.hot_around(node, unit)]
    certain = [loop for loop in loops if model.loops.info(loop).is_certain]
    if not certain:
        return None
    if any(is_rare(model, step, loop) for loop in loops for step in (node, *route.calls)):
        return None
    innermost = certain[-1]
    if _idles(model, innermost):
        return None
    if isinstance(innermost, cst.For) and runs_steps(model, innermost):
        return None
    return innermost
