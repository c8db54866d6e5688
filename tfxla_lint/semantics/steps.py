"""Steps: the loops and functions of a module in which eager tensor work is repeated."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.flow.closure import ends_well
from tfxla_lint.semantics.frequency import FEW_TURNS, Often
from tfxla_lint.semantics.kinds.calls import builds_model
from tfxla_lint.semantics.loops import Loop, Turning
from tfxla_lint.semantics.repetition import FEW_RUNS, runs_few_times
from tfxla_lint.semantics.retracing.made_anew import serves_each_turn
from tfxla_lint.semantics.syntax import decorators_of, target_names, walk
from tfxla_lint.semantics.turns import inside_tape, runs_model, trains_each_turn, works_apart
from tfxla_lint.semantics.twins import has_graph_twin
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.work import Work

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.binder import Binder
    from tfxla_lint.semantics.model import SemanticModel

#: Plain ops that a loop body or function must hold to be worth a trace without a model or a tape.
ENOUGH_OPS = 6
#: So often a loop turns, at least, of which it is only known that it turns many times.
_AT_LEAST = 4
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
_CACHES = frozenset({"functools.lru_cache", "functools.cache"})


@dataclass(frozen=True, slots=True)
class StepLoop:
    """A loop whose body holds a step inline, in code that only runs eagerly.

    `repeated` are the operations, at least, that loops in its body add to `work` on each turn.
    """

    loop: Loop
    unit: Unit
    work: Work
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class StepFunction:
    """A function that holds a step and is run by loops; `route` proves it.

    `repeated` are the operations, at least, that its own loops add to `work` on each call.
    """

    unit: Unit
    route: Route
    work: Work
    repeated: int = 0


class Steps:
    """The steps of one module, in the light of those of the other modules."""

    def __init__(self, model: SemanticModel, every: AllSteps) -> None:
        self._model = model
        self._every = every

    @cached_property
    def loops(self) -> list[StepLoop]:
        """The loops of the module that hold a step inline."""
        return self._every.loops_of(self._model.binder)

    @cached_property
    def functions(self) -> list[StepFunction]:
        """The functions of the module that hold a step and are run by loops."""
        own = (self._every.function(unit) for unit in self._model.units.all[1:])
        return [step for step in own if step is not None and not self._every.is_covered(step)]

    def has_enough(self, unit: Unit) -> bool:
        """Whether a function would be worth a trace if a loop ran it; where the functions that it
        calls are the steps, it has little of its own."""
        return self._every.has_enough(unit, self._model.works.of_unit(unit, into_loops=False))


def _is_cached(model: Answers, unit: Unit) -> bool:
    """Whether calls with arguments seen before do not run the function again."""
    return any(model.names.of(name) & _CACHES for name in decorators_of(unit.node))


def _goes_through_data(loop: Loop, work: Work) -> bool:
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
    """Finds the steps of all modules that are analysed together, each when it is asked for."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._loops = model.loops
        self._contexts = model.contexts
        self._works = model.works
        self._step_loops: dict[int, StepLoop | None] = {}
        self._step_functions: dict[int, StepFunction | None] = {}
        self._outer: dict[int, set[int]] = {}

    @property
    def loops(self) -> list[StepLoop]:
        """The loops that hold a step inline."""
        return [step for binder in self._model.world.binders for step in self.loops_of(binder)]

    def loops_of(self, binder: Binder) -> list[StepLoop]:
        """Those of one module."""
        return [step for loop in _loops_of(binder) if (step := self.loop(loop)) is not None]

    def loop(self, loop: Loop) -> StepLoop | None:
        """A loop as a step, None where it holds none inline."""
        key = id(loop)
        if key not in self._step_loops:
            self._step_loops[key] = self._step_loop(loop)
        return self._step_loops[key]

    def _step_loop(self, loop: Loop) -> StepLoop | None:
        unit = self._model.unit(loop)
        if not self._contexts.is_only_eager(unit) or self._loops.info(loop).is_short:
            return None
        if inside_tape(self._model, loop):
            return None
        if self._loops.often(loop, unit.node) is Often.NEVER:
            return None
        work = self._works.of([loop.body], into_loops=False)
        if self._is_step(loop, work) and not has_graph_twin(self._model, loop):
            return StepLoop(loop, unit, work, self._repeated_ops(self._inner(loop)))
        return None

    @property
    def functions(self) -> Iterator[StepFunction]:
        """The functions that hold a step and are run by loops."""
        for unit in self._model.every_unit:
            step = self.function(unit)
            if step is not None:
                yield step

    def function(self, unit: Unit) -> StepFunction | None:
        """A function as a step, None where it holds none or no loop runs it."""
        key = id(unit)
        if key not in self._step_functions:
            self._step_functions[key] = None if unit.is_module else self._step_function(unit)
        return self._step_functions[key]

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
        if has_graph_twin(self._model, unit.body[0]) or self._is_of_new_objects(unit):
            return None
        if work.is_training_step:
            return StepFunction(unit, route, work)
        if not any(self._loops.info(loop).is_certain for loop in route.loops):
            return None
        if not self._called_in_loop(unit) or self._builds_model(unit.body, work):
            return None
        if not self.has_enough(unit, work):
            return None
        return StepFunction(unit, route, work, self._repeated_ops(self.recurrences(unit)))

    def _is_of_new_objects(self, unit: Unit) -> bool:
        """Whether each turn calls a method of an object that it makes: each would have a trace of its
        own, for one call."""
        if unit.method is not MethodKind.INSTANCE or not unit.parameters:
            return False
        edges = [e for e in self._model.calls.untraced(unit) if self._is_repeated(e)]
        return bool(edges) and all(
            isinstance(owner := edge.argument(unit.parameters[0].name), cst.Name)
            and bool(around := self._loops.around(edge.node, edge.caller))
            and serves_each_turn(self._model, edge.caller, around[-1:], [owner])
            for edge in edges
        )

    def has_enough(self, unit: Unit, work: Work) -> bool:
        """Whether the work of a function is worth a trace, with that of its helpers that are no
        steps themselves."""
        if work.is_training_step or work.is_model_step:
            return True
        if work.is_optimizer_step or work.is_spread_update or len(work.ops) >= ENOUGH_OPS:
            return True
        if len(work.ops) + self._repeated_ops(self.recurrences(unit)) >= ENOUGH_OPS:
            return True
        if work.total < ENOUGH_OPS or work.traced_calls:
            return False
        works = self._model.works
        below = [inner for inner in works.done_by(unit) if inner is not unit]
        if any(called is unit for inner in below for called in works.of_unit(inner).callees):
            return False
        if any(self.function(inner) is not None for inner in below):
            return False
        return len(work.ops) + sum(self._ops_of(units) for _, units in work.calls) >= ENOUGH_OPS

    def _repeated_ops(self, loops: Iterable[cst.For]) -> int:
        """The ops, at least, that loops run which are no steps."""
        found = 0
        for loop in loops:
            turns = self._loops.info(loop).turns or _AT_LEAST
            work = self._works.of_body(loop)
            found += (len(work.ops) + len(work.slices)) * turns
        return found

    def recurrences(self, unit: Unit) -> Iterator[cst.For]:
        """The loops of a function that compute and are no steps: a recurrence of a few operations is
        nothing that a turn could be worth a trace for, and many in one call."""
        return (loop for loop in unit.own(cst.For) if self._is_recurrence(loop, unit.node))

    def _inner(self, outer: Loop) -> Iterator[cst.For]:
        """Those of the body of a loop."""
        loops = (node for node in walk(outer.body, into_scopes=False) if type(node) is cst.For)
        return (loop for loop in loops if self._is_recurrence(loop, outer))

    def _is_recurrence(self, loop: cst.For, top: cst.CSTNode) -> bool:
        """Whether a loop computes, is no step, and is run on most runs of what it stands in."""
        if not self._loops.info(loop).is_certain:
            return False
        if self._loops.often(loop, top) < Often.REGULARLY:
            return False
        work = self._works.of_body(loop)
        if len(work.ops) + len(work.slices) <= 1:
            return False
        below = {id(u): u for called in work.callees for u in self._works.done_by(called)}
        works = (work, *map(self._works.of_unit, below.values()))
        only_computes = not any(w.gradients or w.updates or w.runs_graphs for w in works)
        return only_computes and self.loop(loop) is None

    def _ops_of(self, units: Sequence[Unit]) -> int:
        """The ops of what a call runs, which is one of some functions, and of what that calls."""
        below = (self._model.works.done_by(unit) for unit in units)
        works = ((self._model.works.of_unit(u, into_loops=False) for u in each) for each in below)
        return min((sum(len(work.ops) for work in each) for each in works), default=0)

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
            if not self._is_outer(nearest) and not trains_each_turn(self._model, nearest):
                return True
        route = self._contexts.eager(unit)
        return route is not None and route.loops[-1:] == (unit.node,)

    def is_covered(self, step: StepFunction) -> bool:
        """Whether every call of it that loops repeat is part of a larger step."""
        edges = self._model.calls.untraced(step.unit)
        repeated = [edge for edge in edges if self._is_repeated(edge)] or edges
        return bool(edges) and all(self._is_part_of_step(e, step.unit) for e in repeated)

    def _is_repeated(self, edge: Edge) -> bool:
        if self._contexts.hot_loops(edge.caller):
            return True
        return bool(
            self._loops.hot_around(edge.node, edge.caller)
            or self._loops.hot_comprehensions(edge.node, edge.caller)
        )

    def _is_part_of_step(self, edge: Edge, unit: Unit) -> bool:
        """Whether a call of a function is part of a larger step than the function is."""

        def around(edge: Edge) -> Sequence[Edge] | None:
            is_step = edge.caller is not unit and self.function(edge.caller) is not None
            if is_step or inside_tape(self._model, edge.node):
                return ()
            loops = self._loops.around(edge.node, edge.caller)
            if loops:
                return () if self.loop(loops[-1]) is not None else None
            if edge.caller is unit:
                return None
            return self._model.calls.untraced(edge.caller) or None

        return ends_well(edge, around)

    def _is_step(self, loop: Loop, work: Work) -> bool:
        if runs_few_times(self._model, loop.body, _few_runs(work)):
            return False
        if work.is_training_step:
            return True
        is_hot = self._loops.info(loop).is_certain or bool(work.traced_calls and work.applies)
        if not is_hot and not _goes_through_data(loop, work):
            return False
        if self._is_outer(loop) or self._builds_model([loop.body], work):
            return False
        if trains_each_turn(self._model, loop):
            return False
        if work.traced_calls and not (work.is_measuring or work.losses or work.tapes):
            # The step is traced; a model that is called beside it is seen by itself.
            return len(work.ops) >= ENOUGH_OPS
        if work.is_model_step or work.is_measuring or work.is_spread_update:
            return True
        return len(work.ops) + self._repeated_ops(self._inner(loop)) >= ENOUGH_OPS

    def _builds_model(self, nodes: Sequence[cst.CSTNode], work: Work) -> bool:
        """Whether code, or what it calls, makes layers where it runs them: of symbolic tensors, since
        for one eager use nobody makes weights, nor a class."""
        below = {id(u): u for called in work.callees for u in self._works.done_by(called)}
        run = [*self._works.run(nodes), *(c for u in below.values() for c in u.own(cst.Call))]
        for call in run:
            if isinstance(call, cst.Call):
                layer = self._model.value(call.func)
                given = (self._model.value(argument.value) for argument in call.args)
                if builds_model(call, layer.kind, given) and (
                    layer.class_ is not None or layer.name in _WITH_WEIGHTS
                ):
                    return True
        return False

    def _is_outer(self, loop: Turning) -> bool:
        """Whether it is a loop (over epochs, episodes) around one that steps."""
        home = self._model.world.home(loop)
        if home is None:
            return False
        found = self._outer.get(id(home))
        if found is None:
            found = self._outer[id(home)] = set()
            for inner in _loops_of(home.binder):
                if not self._loops.info(inner).is_short and self._may_step(inner):
                    around = self._loops.around(inner, self._model.unit(inner))
                    found.update(id(o) for o in around if self._is_apart(inner, o))
        return id(loop) in found

    def _is_apart(self, loop: Loop, outer: Loop) -> bool:
        """Whether a loop is more than a part of what a turn of the outer one computes with a model."""
        return not self._model.ask(runs_model, outer) or works_apart(self._model, loop)

    def _may_step(self, loop: Loop) -> bool:
        """Whether a loop may hold steps: one that computes little puts results away, or is a part of what
        a turn around it computes, if it calls nothing but operations, so many times as its code says."""
        if self._works.of_body(loop).total >= ENOUGH_OPS:
            return True
        calls = [node for node in walk(loop.body) if isinstance(node, cst.Call)]
        is_counted = self._loops.info(loop).turns is not None
        return not all(is_counted and self._is_op(call) for call in calls)

    def _is_op(self, call: cst.Call) -> bool:
        return any(map(api.is_op, self._model.names.of(call.func)))


def _loops_of(binder: Binder) -> list[Loop]:
    return [*binder.nodes(cst.For), *binder.nodes(cst.While)]
