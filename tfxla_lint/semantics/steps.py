"""Steps: the loops and functions of a module in which eager tensor work is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.frequency import FEW_TURNS, Often
from tfxla_lint.semantics.loops import Loop, Turning
from tfxla_lint.semantics.repetition import FEW_RUNS, runs_few_times
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.turns import inside_tape, trains_each_turn
from tfxla_lint.semantics.twins import has_graph_twin
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.work import Work

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

#: Plain ops that a loop body or function must hold to be worth a trace without a model or a tape.
ENOUGH_OPS = 6
_CACHES = frozenset({"functools.lru_cache", "functools.cache"})


@dataclass(frozen=True, slots=True)
class StepLoop:
    """A loop whose body holds a step inline, in code that only runs eagerly."""

    loop: Loop
    unit: Unit
    work: Work


@dataclass(frozen=True, slots=True)
class StepFunction:
    """A function that holds a step and is run by loops; `route` proves it."""

    unit: Unit
    route: Route
    work: Work


class Steps:
    """The steps of one module, in the light of those of the other modules."""

    def __init__(self, model: SemanticModel, every: AllSteps) -> None:
        self._model = model
        self._every = every

    @cached_property
    def loops(self) -> list[StepLoop]:
        """The loops of the module that hold a step inline."""
        return [step for step in self._every.loops if self._model.is_own(step.loop)]

    @cached_property
    def functions(self) -> list[StepFunction]:
        """The functions of the module that hold a step and are run by loops."""
        own = (s for s in self._every.functions.values() if self._model.is_own(s.unit.node))
        return [step for step in own if not self._every.is_covered(step)]


def _is_cached(model: Answers, unit: Unit) -> bool:
    """Whether calls with arguments seen before do not run the function again."""
    decorators = getattr(unit.node, "decorators", ())
    made = (d.decorator for d in decorators)
    called = (d.func if isinstance(d, cst.Call) else d for d in made)
    return any(model.names.of(name) & _CACHES for name in called)


def _goes_through_data(model: Answers, loop: Loop, work: Work) -> bool:
    """Whether each turn gives one model what it is turned over, and measures what comes out.

    Nobody measures the members of what is no data; what measures is the same on each turn.
    """
    if not isinstance(loop, cst.For) or not (work.metric_updates or work.losses):
        return False
    given = set(target_names(loop.target))

    def reads(node: cst.CSTNode) -> bool:
        return any(isinstance(n, cst.Name) and n.value in given for n in walk(node))

    runs = [call for call in work.model_calls if any(reads(a.value) for a in call.args)]
    fixed = (call.func for call in (*runs, *work.metric_updates, *work.losses))
    return bool(runs) and not any(reads(function) for function in fixed)


def _few_runs(work: Work) -> int:
    """So many runs in all are too few for a trace; small data stand for larger ones in a step that
    trains or measures, and not where pictures are made."""
    is_step = work.is_training_step or bool(work.metric_updates or work.losses)
    return FEW_TURNS if is_step else FEW_RUNS


class AllSteps:
    """Finds the steps of all modules that are analysed together."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._loops = model.loops
        self._contexts = model.contexts
        self._works = model.works

    @cached_property
    def _all_loops(self) -> list[Loop]:
        return [*self._model.everywhere(cst.For), *self._model.everywhere(cst.While)]

    @cached_property
    def loops(self) -> list[StepLoop]:
        """The loops that hold a step inline."""
        found: list[StepLoop] = []
        for loop in self._all_loops:
            unit = self._model.unit(loop)
            if not self._contexts.is_only_eager(unit) or self._loops.info(loop).is_short:
                continue
            if inside_tape(self._model, loop):
                continue
            if self._loops.often(loop, unit.node) is Often.NEVER:
                continue
            work = self._works.of([loop.body], into_loops=False)
            if self._is_step(loop, work) and not has_graph_twin(self._model, loop):
                found.append(StepLoop(loop, unit, work))
        return found

    @cached_property
    def functions(self) -> dict[int, StepFunction]:
        """The functions that hold a step and are run by loops, by the identity of their units."""
        candidates: dict[int, StepFunction] = {}
        for units in self._model.evaluator.modules:
            for unit in units.all[1:]:
                found = self._step_function(unit)
                if found is not None:
                    candidates[id(unit)] = found
        return candidates

    def _step_function(self, unit: Unit) -> StepFunction | None:
        if unit.is_lambda or unit.method is MethodKind.PROPERTY or _is_cached(self._model, unit):
            return None
        route = self._contexts.eager(unit)
        if route is None or not route.loops or self._contexts.may_be_traced(unit):
            return None
        if unit.is_generator or unit.is_async or unit.name == "__init__":
            return None
        work = self._works.of_unit(unit, into_loops=False)
        if runs_few_times(self._model, unit.body[0], _few_runs(work)):
            return None
        if has_graph_twin(self._model, unit.body[0]):
            return None
        if work.is_training_step:
            return StepFunction(unit, route, work)
        if not any(self._loops.info(loop).is_certain for loop in route.loops):
            return None
        if not self._called_in_loop(unit):
            return None
        if work.is_model_step or work.is_optimizer_step or len(work.ops) >= ENOUGH_OPS:
            return StepFunction(unit, route, work)
        return None

    def _called_in_loop(self, unit: Unit) -> bool:
        """Whether some loop calls it on every turn, a loop of steps and not of epochs."""
        for edge in self._model.calls.untraced(unit):
            around: list[Turning] = [*self._loops.hot_around(edge.node, edge.caller)]
            around += self._loops.hot_comprehensions(edge.node, edge.caller)
            if not around or inside_tape(self._model, edge.node):
                continue
            nearest = around[-1]
            if self._loops.often(edge.node, nearest) < Often.REGULARLY:
                continue
            if id(nearest) not in self._outer_loops and not trains_each_turn(self._model, nearest):
                return True
        route = self._contexts.eager(unit)
        return route is not None and route.loops[-1:] == (unit.node,)

    def is_covered(self, step: StepFunction) -> bool:
        """Whether every call of it is part of a larger step."""
        edges = self._model.calls.untraced(step.unit)
        return bool(edges) and all(self._is_part_of_step(e, {id(step.unit)}) for e in edges)

    def _is_part_of_step(self, edge: Edge, seen: set[int]) -> bool:
        if id(edge.caller) in self.functions and id(edge.caller) not in seen:
            return True
        if inside_tape(self._model, edge.node):
            return True
        around = self._loops.around(edge.node, edge.caller)
        if any(step.loop in around[-1:] for step in self.loops):
            return True
        if around or id(edge.caller) in seen:
            return False
        outer = self._model.calls.untraced(edge.caller)
        seen = {*seen, id(edge.caller)}
        return bool(outer) and all(self._is_part_of_step(e, seen) for e in outer)

    def _is_step(self, loop: Loop, work: Work) -> bool:
        if runs_few_times(self._model, loop.body, _few_runs(work)):
            return False
        if work.is_training_step:
            return True
        if not (self._loops.info(loop).is_certain or _goes_through_data(self._model, loop, work)):
            return False
        if id(loop) in self._outer_loops:
            return False
        if trains_each_turn(self._model, loop):
            return False
        if work.traced_calls and not (work.is_measuring or work.losses or work.tapes):
            # The step is traced; a model that is called beside it is seen by itself.
            return len(work.ops) >= 2 * ENOUGH_OPS
        return work.is_model_step or work.is_measuring or len(work.ops) >= ENOUGH_OPS

    @cached_property
    def _outer_loops(self) -> set[int]:
        """The loops (over epochs, episodes) around one that steps, by their ids."""
        found: set[int] = set()
        for inner in self._all_loops:
            if not self._loops.info(inner).is_short:
                around = self._loops.around(inner, self._model.unit(inner))
                found.update(id(loop) for loop in around)
        return found
