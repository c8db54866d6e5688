"""Loops that run a call on each of their turns, and those that take the steps of an environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.turns import is_rare

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
    if not any(model.loops.info(loop).is_certain for loop in loops):
        return []
    nodes = (call, *route.calls)
    return [] if any(is_rare(model, n, loop) for loop in loops for n in nodes) else loops


def environment_loop(model: SemanticModel, call: cst.Call) -> Loop | None:
    """The innermost loop that runs a call on each of its turns, where that takes the steps of an
    environment, or runs between them."""
    loops = hot_loops(model, call)
    return loops[-1] if loops and steps_environment(model, call, loops[-1]) else None


def steps_environment(model: SemanticModel, call: cst.Call, innermost: Loop) -> bool:
    """Whether the innermost loop takes the steps of an environment, or runs within one that does.

    A loop of episodes, which holds the loop of the steps, does neither.
    """
    own = [_nearest_loop(model, step) for step in _environment_steps(model, innermost)]
    if own:
        return innermost in own
    route = model.contexts.eager(model.unit(call))
    nodes = (call, *(route.calls if route is not None else ()))
    outer = (loop for node in nodes for loop in model.loops.around(node, model.unit(node)))
    return any(True for loop in outer for _ in _environment_steps(model, loop))


def _environment_steps(model: SemanticModel, loop: Loop) -> Iterator[cst.Call]:
    """`env.step(action)`, `self.game.step(action)`: steps of what is reset by that name as well."""
    environments = model.ask(_environments)
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Call) and _holder(node, _STEP) in environments:
            yield node


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


def _nearest_loop(model: SemanticModel, node: cst.CSTNode) -> cst.CSTNode | None:
    loops = (a for a in model.ancestors(node) if isinstance(a, (cst.For, cst.While)))
    return next(loops, None)
