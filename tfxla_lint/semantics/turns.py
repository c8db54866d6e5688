"""What one turn of a loop does: whether it always reaches a node, and whether it runs a whole
loop of steps itself (an epoch, an episode)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.frequency import FEW_TURNS, Often
from tfxla_lint.semantics.loops import MANY_TURNS, Loop, Turning, turned_code
from tfxla_lint.semantics.repetition import runs_few_times
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.twins import has_graph_twin
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.work import Work

    Steps: TypeAlias = "Callable[[Answers, Loop], bool]"

#: A loop over more "epochs" than these makes one step in each.
_MANY_EPOCHS = 500
#: So many turns that train on all of the data at once each are steps, whatever they are called.
_MANY_OF_ALL = 100
_SCOPES = (cst.FunctionDef, cst.Lambda, cst.ClassDef)
_TRAINING = behaviour.methods(Trait.UPDATES, "model")
#: What may run a loop of steps.
_RUNNING = frozenset({cst.For, cst.While, cst.Call})


def is_rare(model: Answers, node: cst.CSTNode, loop: Turning, least: Often = Often.PERHAPS) -> bool:
    """Whether `node` stands in `loop`, but under a condition that holds on some turns only.

    What stands in a function that the loop makes runs where that is called.
    """
    for ancestor in model.ancestors(node):
        if ancestor is loop:
            return model.loops.often(node, loop) < least
        if type(ancestor) in _SCOPES:
            return False
    return False


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


def runs_steps(model: Answers, loop: Turning) -> bool:
    """Whether every turn of `loop` runs a loop of steps: an epoch or an episode, not a step.

    Where a turn trains on a batch by itself, loops of a few operations only make that batch ready;
    where it runs a model, they belong to what it computes.
    """
    is_step = works
    if isinstance(loop, (cst.For, cst.While)):
        if model.ask(takes_training_step, loop):
            is_step = _works_hard
        elif model.ask(runs_model, loop):
            is_step = works_apart
    return _is_named_epoch(model, loop) or model.ask(_runs_always, loop, is_step)


def trains_each_turn(model: Answers, loop: Turning) -> bool:
    """Whether every turn of `loop` runs a loop of training steps, such as `fit`."""
    return model.ask(_runs_always, loop, _trains)


def _runs_always(model: Answers, loop: Turning, is_step: Steps) -> bool:
    for node in walk(turned_code(loop), into_scopes=False):
        if type(node) not in _RUNNING:
            continue
        if _holds_steps(model, node, is_step) and model.loops.often(node, loop) is Often.ALWAYS:
            return True
    return False


def takes_training_step(model: Answers, loop: Loop) -> bool:
    """Whether each turn of a loop trains on one batch, itself or by what it calls; what does that
    many times, in a loop of its own, makes the turn an epoch."""
    turn = model.works.of([loop.body], into_loops=False)
    below = closure(_run_by(model, turn), lambda unit: _run_by(model, _once(model, unit)))
    return any(map(_trains_once, (turn, *(_once(model, unit) for unit in below))))


def _once(model: Answers, unit: Unit) -> Work:
    """What a call of a function does but for its loops."""
    return model.works.of_unit(unit, into_loops=False)


def _run_by(model: Answers, work: Work) -> list[Unit]:
    """The functions that some code calls, traced ones as well."""
    traced = (callee.unit for call in work.traced_calls for callee in model.callees(call))
    return [*work.callees, *traced]


def _trains_once(work: Work) -> bool:
    by_keras = (call.func for call in work.batch_runs)
    named = (function.attr.value for function in by_keras if isinstance(function, cst.Attribute))
    return work.is_training_step or any(name in _TRAINING for name in named)


def _is_named_epoch(model: Answers, loop: Turning) -> bool:
    """Whether the author calls the turns epochs (thousands of them are steps all the same, and so
    are many, or of unknown number, that train on all of the data at once).

    What there is so much of per epoch are steps.
    """
    info = model.loops.info(loop)
    if not isinstance(loop, cst.For) or info.over == "dataset":
        return False
    if info.turns is not None and info.turns > _MANY_EPOCHS:
        return False
    names = (n for n in (*walk(loop.target), *walk(loop.iter)) if isinstance(n, cst.Name))
    words = (name.value.lower().replace("_", "") for name in names)
    is_named = any("epoch" in word and "perepoch" not in word for word in words)
    may_be_many = info.turns is None or info.turns >= _MANY_OF_ALL
    return is_named and not (may_be_many and model.ask(takes_training_step, loop))


def opens_tape(model: Answers, node: cst.With) -> bool:
    """Whether a `with` opens a gradient tape."""
    return any(model.value(item.item).kind is Kind.TAPE for item in node.items)


def inside_tape(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a gradient tape of the same function records `node`."""
    for ancestor in model.ancestors(node):
        if type(ancestor) in _SCOPES:
            return False
        if type(ancestor) is cst.With and opens_tape(model, ancestor):
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


def _holds_steps(model: Answers, node: cst.CSTNode, is_step: Steps) -> bool:
    """Whether what a loop or a call runs holds a loop of steps."""
    found, pending = _steps_at(model, node, is_step)
    seen: set[int] = set()
    while pending and not found:
        unit = pending.pop()
        if id(unit) in seen:
            continue
        seen.add(id(unit))
        for inner in model.ask(_running_in, unit):
            found, more = _steps_in(model, unit, inner, is_step)
            pending += more
            if found:
                break
    return found


def _running_in(model: Answers, unit: Unit) -> list[cst.CSTNode]:
    """The loops and calls of a function's own code."""
    return [node for node in walk(unit.node, into_scopes=False) if type(node) in _RUNNING]


def _steps_at(model: Answers, node: cst.CSTNode, is_step: Steps) -> tuple[bool, list[Unit]]:
    """Whether a loop or a call runs steps by itself, and the functions that may."""
    if inside_tape(model, node):
        return False, []
    if isinstance(node, (cst.For, cst.While)):
        return not model.loops.info(node).is_short and is_step(model, node), []
    assert isinstance(node, cst.Call)
    function = model.value(node.func)
    if function.kind is Kind.METHOD and function.unit is None and function.receiver is not None:
        if function.receiver.kind is Kind.MODEL and function.name in _WHOLE_LOOPS:
            return True, []
    if function.kind in (Kind.MODEL, Kind.LAYER):
        return False, []
    return False, [callee.unit for callee in model.callees(node)]


_WHOLE_LOOPS = api.KERAS_LOOP_METHODS - behaviour.methods(Trait.ONE_BATCH) - {"predict"}


def _steps_in(
    model: Answers, unit: Unit, node: cst.CSTNode, is_step: Steps
) -> tuple[bool, list[Unit]]:
    """The same in a function that is called; a loop of plain ops is part of one traced step."""
    if isinstance(node, (cst.For, cst.While)) and model.contexts.traced(unit) is not None:
        over_dataset = model.loops.info(node).over == "dataset"
        work = model.works.of_body(node)
        return over_dataset or bool(work.gradients and work.updates), []
    return _steps_at(model, node, is_step)


def works(model: Answers, loop: Loop) -> bool:
    """Whether the turns of a loop do tensor work; a few operations only where these surely are many:
    what goes through the losses of a step, to log them, makes no steps of them."""
    work = model.works.of_body(loop)
    if work.total == 0 or model.loops.info(loop).is_certain:
        return work.total > 0 or bool(work.traced_calls)
    return _works_hard(model, loop)


def runs_model(model: Answers, loop: Loop) -> bool:
    """Whether each turn of a loop runs a model itself, and not in a loop of its own."""
    return bool(model.works.of([loop.body], into_loops=False).model_calls)


def works_apart(model: Answers, loop: Loop) -> bool:
    """Whether the turns of a loop are steps also where a turn of the loop around it runs a model: they
    do more than a few operations, or what nobody knows."""
    if not works(model, loop):
        return False
    effects = model.ask(Effects).below(loop.body)
    is_open = any(effect.kind is EffectKind.UNKNOWN for effect in effects)
    return is_open or _works_hard(model, loop)


def _works_hard(model: Answers, loop: Loop) -> bool:
    """Whether the turns of a loop do more than a few operations, here or in what they call."""
    work = model.works.of_body(loop)
    below = closure(work.callees, lambda unit: model.works.of_unit(unit).callees)
    return any(map(_is_heavy, (work, *map(model.works.of_unit, below))))


def _is_heavy(work: Work) -> bool:
    """Whether some code does more than a few operations."""
    parts = (work.traced_calls, work.model_calls, work.gradients, work.updates, work.batch_runs)
    return any(parts) or bool(work.losses or work.metric_updates)


def _trains(model: Answers, loop: Loop) -> bool:
    """Whether the turns of a loop take gradients, or run what is traced and may do so."""
    work = model.works.of_body(loop)
    return bool(work.gradients) or any(_may_train(model, call) for call in work.traced_calls)


def _may_train(model: Answers, call: cst.Call) -> bool:
    """Whether a traced function takes gradients, or is not in sight."""
    units = [callee.unit for callee in model.callees(call)]
    below = closure(units, lambda unit: [edge.callee for edge in model.calls.made_by(unit)])
    return not units or any(model.works.of_unit(unit).gradients for unit in below)


def is_thinned(
    model: Answers,
    places: Sequence[cst.CSTNode],
    loops: Sequence[Turning],
    innermost: Turning,
    least: Often = Often.PERHAPS,
) -> bool:
    """Whether a condition has few of the turns of `loops`, outermost first, come to the last of some
    places that lead to each other: to fewer than `least`.

    What is now and then run as a whole, by the innermost of them that surely turns often, is many turns
    still, unless these are known to be few.
    """
    at = next(i for i, loop in enumerate(loops) if loop is innermost)
    around = [loop for place in places for loop in model.loops.around(place, model.unit(place))]
    if any(model.loops.info(loop).turns == 0 for loop in (*loops, *around)):
        return True
    known = model.loops.info(innermost).turns
    thinning = loops if known is not None and known < MANY_TURNS else loops[at:]
    return any(is_rare(model, place, loop, least) for loop in thinning for place in places)


def step_loop(model: Answers, node: cst.CSTNode, least: Often = Often.PERHAPS) -> Turning | None:
    """The innermost loop that surely runs `node` many times, directly or through calls; also a
    function that a framework runs many times.

    None where there is none, where the code may be traced or has a twin that is, where a condition
    thins the turns out (to fewer than `least`), or where the loop is one of epochs, which one that
    takes batches is not.
    """
    unit = model.unit(node)
    route = model.contexts.eager(unit)
    if route is None or not model.contexts.is_only_eager(unit) or has_graph_twin(model, node):
        return None
    loops: list[Turning] = [*route.loops, *model.loops.hot_around(node, unit)]
    loops += model.loops.hot_comprehensions(node, unit)
    certain = [loop for loop in loops if model.loops.info(loop).is_certain]
    if not certain:
        return None
    innermost = certain[-1]
    known = model.loops.info(innermost).turns
    if is_thinned(model, (node, *route.calls), loops, innermost, least):
        return None
    # What is taken thousands of times is a step, however often a turn takes it.
    is_step = loops[-1] is not innermost and known is not None and known > _MANY_EPOCHS
    if isinstance(innermost, cst.For) and not (is_step or model.loops.gives_batches(innermost)):
        if runs_steps(model, innermost):
            return None
    if trains_each_turn(model, innermost) or runs_few_times(model, node, FEW_TURNS):
        return None
    return innermost
