"""Loops that run a call on each of their turns, and those that take the steps of an environment or
of a training."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop, Turning
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.turns import is_thinned, takes_training_step
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_STEP, _RESET = "step", "reset"


def hot_loops(model: SemanticModel, call: cst.Call) -> list[Loop]:
    """The loops that run a call on each of their turns, outermost first."""
    unit = model.unit(call)
    route = model.contexts.eager(unit)
    if route is None or not model.contexts.is_only_eager(unit):
        return []
    run_by = [loop for loop in route.loops if isinstance(loop, (cst.For, cst.While))]
    loops = [*run_by, *model.loops.hot_around(call, unit)]
    certain = [loop for loop in loops if model.loops.info(loop).is_certain]
    if not certain or is_thinned(model, (call, *route.calls), loops, certain[-1]):
        return []
    return loops


def environment_loop(model: SemanticModel, call: cst.Call) -> Loop | None:
    """The innermost loop that runs a call on each of its turns, where that takes the steps of an
    environment, or runs between them."""
    loops = hot_loops(model, call)
    return loops[-1] if loops and steps_environment(model, call, loops[-1]) else None


def training_loop(model: SemanticModel, call: cst.Call, given: cst.BaseExpression) -> Loop | None:
    """The innermost loop that runs a call on each of its turns, where these take a step of a
    training each as well, and `given` is made on the turn: whole data are no batch of it."""
    loops = hot_loops(model, call)
    if not loops or not model.ask(takes_training_step, loops[-1]):
        return None
    return loops[-1] if _is_made_on_turn(model, given, loops[-1]) else None


def batch_loop(
    model: SemanticModel, call: cst.Call, given: cst.BaseExpression, loop: Turning | None
) -> cst.For | None:
    """The loop, where it stands around a call, goes through a data set, and the call is given what the
    turn takes of it."""
    if not isinstance(loop, cst.For) or loop not in model.ancestors(call):
        return None
    while isinstance(given, (cst.Attribute, cst.Subscript)):
        given = given.value
    if not isinstance(given, cst.Name) or not model.loops.gives_batches(loop):
        return None
    binding = model.flow.reached(given).only
    is_taken = binding is not None and loop.target in (binding.node, *model.ancestors(binding.node))
    return loop if is_taken else None


def _is_made_on_turn(model: SemanticModel, given: cst.BaseExpression, loop: Loop) -> bool:
    """Whether the turn of a loop, or a function that it calls, gives a value to what is read."""
    inside, home = {id(node) for node in walk(loop)}, model.unit(loop)

    def judge(node: cst.CSTNode, path: Path) -> bool | Look | None:
        if not isinstance(node, cst.Name):
            return not isinstance(node, (cst.Attribute, cst.Subscript, cst.Param))
        bindings = model.flow.reached(node).bindings
        if any(id(binding.node) in inside for binding in bindings):
            return True
        units = [model.unit_of_scope(binding.scope) for binding in bindings]
        return None if any(unit is home or unit.is_module for unit in units) else THROUGH

    through = Through(callers=model.calls.untraced)
    return bool(Origins(model.flow, through, judge).of(given))


def steps_environment(model: SemanticModel, call: cst.Call, innermost: Loop) -> bool:
    """Whether the innermost loop takes the steps of an environment, or runs within one that does.

    A loop of episodes, which holds the loop of the steps, does neither.
    """
    own = [_nearest_loop(model, step) for step in model.ask(_environment_steps, innermost)]
    if own:
        return innermost in own
    if model.ask(_steps_by_calls, innermost):
        return True
    route = model.contexts.eager(model.unit(call))
    nodes = (call, *(route.calls if route is not None else ()))
    outer = (loop for node in nodes for loop in model.loops.around(node, model.unit(node)))
    return any(True for loop in outer for _ in model.ask(_environment_steps, loop))


def _environment_steps(model: Answers, loop: Loop) -> list[cst.Call]:
    """`env.step(action)`, `self.game.step(action)`: steps of what is reset by that name as well."""
    environments = model.ask(_environments)
    calls = (n for n in walk(loop.body, into_scopes=False) if isinstance(n, cst.Call))
    return [call for call in calls if _holder(call, _STEP) in environments]


def _steps_by_calls(model: Answers, loop: Loop) -> bool:
    """Whether each turn of a loop calls a function that takes one step of an environment.

    What takes many, in a loop of its own, or what resets the environment too, makes the turn an
    episode.
    """
    taking = model.ask(_taking_steps)
    calls = [
        edge
        for node in walk(loop.body, into_scopes=False)
        for edge in model.calls.at(node)
        if id(edge.callee) in taking
    ]
    if not calls or any(_nearest_loop(model, edge.node) is not loop for edge in calls):
        return False
    runs = (edge.callee for edge in calls)
    below = closure(runs, lambda u: (e.callee for e in _onward(model, u, taking)))
    return not any(_is_of_episodes(model, unit, taking) for unit in below)


def _onward(model: Answers, unit: Unit, taking: frozenset[int]) -> list[Edge]:
    """The calls of a function by which it takes steps through others."""
    return [edge for edge in model.calls.made_by(unit) if id(edge.callee) in taking]


def _is_of_episodes(model: Answers, unit: Unit, taking: frozenset[int]) -> bool:
    """Whether a function that takes steps takes many at once, or resets the environment."""
    environments = model.ask(_environments)
    if any(_holder(call, _RESET) in environments for call in unit.own(cst.Call)):
        return True
    steps: list[cst.CSTNode] = [edge.node for edge in _onward(model, unit, taking)]
    steps += [call for call in unit.own(cst.Call) if _holder(call, _STEP) in environments]
    return any(model.loops.around(step, unit) for step in steps)


def _taking_steps(model: Answers) -> frozenset[int]:
    """The functions that take the steps of an environment, or call one that does, by identity."""
    environments = model.ask(_environments)
    calls = model.everywhere(cst.Call)
    stepping = (model.unit(call) for call in calls if _holder(call, _STEP) in environments)
    starts = [unit for unit in stepping if not unit.is_module]
    onward = closure(starts, lambda unit: (edge.caller for edge in model.calls.callers(unit)))
    return frozenset(id(unit) for unit in onward)


def _environments(model: Answers) -> frozenset[str]:
    """What the project calls the things that it both resets and steps, by giving them an action."""
    calls = list(model.everywhere(cst.Call))
    reset = {_holder(call, _RESET) for call in calls}
    stepped = {_holder(call, _STEP) for call in calls if call.args}
    return frozenset(name for name in stepped if name is not None and name in reset)


def _holder(call: cst.Call, method: str) -> str | None:
    """What a call of a method names last before it, but for `self`: `env` in `self.env.step(a)`."""
    function = call.func
    if not isinstance(function, cst.Attribute) or function.attr.value != method:
        return None
    held = function.value
    name = held.attr if isinstance(held, cst.Attribute) else held
    return name.value if isinstance(name, cst.Name) and not is_self(held) else None


def _nearest_loop(model: Answers, node: cst.CSTNode) -> cst.CSTNode | None:
    loops = (a for a in model.ancestors(node) if isinstance(a, (cst.For, cst.While)))
    return next(loops, None)
