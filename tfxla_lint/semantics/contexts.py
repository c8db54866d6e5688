"""Contexts and heat: how each function is run (eagerly, traced, compiled) and by which loops.

A route is proved by its chain of calls. What callers outside of the module may do is unknown,
and a rule that needs *never traced* stays silent then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.budgets import LONGEST_ROUTE
from tfxla_lint.semantics import api, host, runners
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.flow.calls import Calls, Edge
from tfxla_lint.semantics.flow.closure import closure, first
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.keras_runs import keras_runs
from tfxla_lint.semantics.kinds.evaluator import Evaluator
from tfxla_lint.semantics.loops import Loop, Loops, Turning
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.syntax import decorators_of
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import UNKNOWN, Kind, Tracing
from tfxla_lint.semantics.work import Works


@dataclass(frozen=True, slots=True)
class Route:
    """One way in which a unit runs.

    `root` is the node that starts it (the decorator, the wrapping call, the evidence of eager
    running), `reason` says it in words, `calls` lead from there to the unit, `loops` are the loops
    passed on the way, outermost first.
    """

    root: cst.CSTNode
    reason: str
    calls: tuple[cst.CSTNode, ...] = ()
    loops: tuple[Turning, ...] = ()
    tracing: Tracing | None = None


@dataclass(slots=True)
class _State:
    eager: Route | None = None
    traced: Route | None = None
    compiled: Route | None = None
    unknown: bool = False
    #: Whether code that is not known is handed the function, or one that calls it.
    handed: bool = False


class Contexts:
    """The contexts of all units of the modules that are analysed together.

    `holds_tests` says whether a unit stands in a file of tests.
    """

    def __init__(
        self,
        binders: Sequence[Binder],
        evaluator: Evaluator,
        loops: Loops,
        calls: Calls,
        works: Works,
        holds_tests: Callable[[Unit], bool],
    ) -> None:
        self._calls = calls
        self._holds_tests = holds_tests
        self._works = works
        self._units = evaluator.units
        self._evaluator = evaluator
        self._loops = loops
        #: Every unit, those that are a module's body first.
        self._all = [units.module for units in evaluator.modules]
        self._functions = [unit for units in evaluator.modules for unit in units.all[1:]]
        self._all += self._functions
        self._states: dict[int, _State] = {id(unit): _State() for unit in self._all}
        #: Whether Keras may be told to trace nothing: of which model, is not looked into.
        self.keras_may_run_eagerly = any(host.runs_eagerly(binder) for binder in binders)
        self._known_evidence: dict[int, tuple[cst.CSTNode, str] | None] = {}
        self._known_always: dict[int, list[Unit]] = {}
        #: The functions of which neither they nor what they always run shows it, by identity.
        self._without_evidence: set[int] = set()
        self._without_training: set[int] = set()
        self._traced_roots: deque[tuple[Unit, Route]] = deque()
        self._run_by_keras = {} if self.keras_may_run_eagerly else keras_runs(binders, evaluator)
        self._collect_roots()
        self._trace()
        self._run_eagerly()

    # Answers

    def eager(self, unit: Unit) -> Route | None:
        """A proved route on which `unit` runs eagerly (the one with the most loops), or None."""
        return self._states[id(unit)].eager

    def traced(self, unit: Unit) -> Route | None:
        """A proved route on which `unit` is traced, or None."""
        return self._states[id(unit)].traced

    def compiled(self, unit: Unit) -> Route | None:
        """A proved route on which `unit` is compiled by XLA, or None."""
        return self._states[id(unit)].compiled

    def may_be_traced(self, unit: Unit) -> bool:
        """Whether `unit` is traced on a proved route, or may be on one that is not seen.

        What a loop surely runs eagerly is eager there, whoever else is handed the function, and
        whatever traced function calls it as well.
        """
        state = self._states[id(unit)]
        if state.unknown or (state.traced is not None and not self._is_eager_too(unit)):
            return True
        return state.handed and (state.eager is None or not state.eager.loops)

    def _is_eager_too(self, unit: Unit) -> bool:
        """Whether loops run `unit` eagerly that a traced function calls, by calls of their own that
        depend on no test and run nothing else: a test may choose between the two ways. Of what is
        wrapped itself there is a traced version, and the other may be there to compare it with."""
        state = self._states[id(unit)]
        traced, eager = state.traced, state.eager
        if traced is None or traced.tracing is None or not traced.calls or eager is None:
            return False
        info = unit.class_
        if (
            info is not None
            and info.role is not Kind.OBJECT
            and unit.name in api.KERAS_CALLED_METHODS
        ):
            return False
        if not any(self._loops.info(loop).is_certain for loop in eager.loops):
            return False
        return all(map(self._is_plain, eager.calls))

    def _is_plain(self, call: cst.CSTNode) -> bool:
        edges = self._calls.at(call) or [e for e in self._calls.handed_at(call) if e.how == "eager"]
        if len({id(edge.callee) for edge in edges}) != 1 or any(e.tracing for e in edges):
            return False
        caller = self._units.containing(call)
        top = (*self._loops.around(call, caller)[-1:], caller.node)[0]
        return self._always_in(call, top)

    def is_only_eager(self, unit: Unit) -> bool:
        """Whether `unit` is run eagerly on a proved route and never traced."""
        return self.eager(unit) is not None and not self.may_be_traced(unit)

    def hot_loops(self, unit: Unit) -> tuple[Turning, ...]:
        """The loops that run `unit` as a whole, on its proved eager route."""
        route = self.eager(unit)
        return route.loops if route is not None else ()

    # Construction

    def _collect_roots(self) -> None:
        traced = self._traced_roots
        for unit in self._all:
            for edge in self._calls.made_by(unit):
                if edge.tracing is not None and edge.how == "call":
                    route = Route(edge.tracing.node, "tf.function", (), (), edge.tracing)
                    traced.append((edge.callee, route))
        self._mark_loose_lambdas()
        self._handed_roots(traced)
        self._own_roots(traced)

    def _mark_loose_lambdas(self) -> None:
        """A lambda runs where it is handed to; one that nothing tracks runs in unknown ways."""
        for unit in self._functions:
            if unit.is_lambda and not self._calls.handed(unit) and not self._calls.untraced(unit):
                self._states[id(unit)].unknown = True

    def _handed_roots(self, traced: deque[tuple[Unit, Route]]) -> None:
        for edge in self._calls.every_handed():
            if edge.how == "traced":
                reason = "tf.function" if edge.tracing is not None else "traced by the call"
                traced.append((edge.callee, Route(edge.node, reason, (), (), edge.tracing)))
            elif edge.how == "unknown" and edge.callee.tracing is None:
                if self._training(edge.callee) is None:
                    self._states[id(edge.callee)].handed = True

    def _own_roots(self, traced: deque[tuple[Unit, Route]]) -> None:
        for unit in self._functions:
            if unit.tracing is not None:
                reason = "decorated with tf.function"
                traced.append((unit, Route(unit.tracing.node, reason, (), (), unit.tracing)))
            if unit.unknown_decorators or (unit.is_async and unit.launcher is None):
                self._states[id(unit)].unknown = True
            proof = self._run_by_keras.get(id(unit))
            info = unit.class_
            if proof is not None:
                traced.append((unit, Route(proof, "Keras traces what is built or fitted here")))
            elif info is not None:
                self._method_roots(unit, info, traced)

    def _method_roots(self, unit: Unit, info: ClassInfo, traced: deque[tuple[Unit, Route]]) -> None:
        keras = info.role in (
            Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE,
            Kind.INITIALIZER,
        )  # fmt: skip
        if self._is_driven(info, unit.name):
            return
        if info.role is Kind.MODEL and unit.name in api.TRACED_MODEL_METHODS:
            if self._is_taken_over(info, unit):
                return
            if self.keras_may_run_eagerly:
                self._states[id(unit)].unknown = True
            else:
                traced.append((unit, Route(unit.node, f"Keras traces `{unit.name}`")))
        elif (keras and unit.name in api.KERAS_CALLED_METHODS) or info.base_may_trace:
            is_test = not keras and runners.is_case(info) and self._holds_tests(unit)
            self._states[id(unit)].unknown |= not is_test

    def _is_taken_over(self, info: ClassInfo, step: Unit) -> bool:
        """Whether a model calls a step itself in a `fit` of its own, in the place of that of Keras."""
        fit = info.method("fit")
        calls = fit.own(cst.Call) if fit is not None else ()
        is_own = bool(calls) and not any(map(self._is_of_super, calls))
        return is_own and any(e.caller.class_ is not None for e in self._calls.untraced(step))

    def _is_of_super(self, call: cst.Call) -> bool:
        receiver = self._evaluator.values.get(id(call.func), UNKNOWN).receiver
        return receiver is not None and receiver.name == "super"

    def _trace(self) -> None:
        """Everything that traced code calls is traced, but for what leaves the trace."""
        pending = self._traced_roots
        while pending:
            unit, route = pending.popleft()
            state = self._states[id(unit)]
            is_compiled = route.tracing is not None and route.tracing.is_compiled
            if state.traced is not None and (state.compiled is not None or not is_compiled):
                continue
            state.traced = state.traced or route
            if is_compiled:
                state.compiled = state.compiled or route
            for edge in self._calls.untraced_by(unit):
                if len(route.calls) >= LONGEST_ROUTE:
                    self._states[id(edge.callee)].unknown = True
                    continue
                longer = Route(
                    route.root, route.reason, (*route.calls, edge.node), (), route.tracing
                )
                pending.append((edge.callee, longer))
        self._spread_unknown()

    def _spread_unknown(self) -> None:
        unknown = [unit for unit in self._all if self._states[id(unit)].unknown]
        for unit in closure(unknown, self._functions_called):
            self._states[id(unit)].unknown = True
        handed = [unit for unit in self._all if self._states[id(unit)].handed]
        for unit in closure(handed, self._functions_called):
            self._states[id(unit)].handed = True

    def _functions_called(self, unit: Unit) -> list[Unit]:
        called = (edge.callee for edge in self._calls.untraced_by(unit))
        return [callee for callee in called if not callee.is_module]

    def _run_eagerly(self) -> None:
        for units in self._evaluator.modules:
            module = units.module
            self._states[id(module)].eager = Route(module.node, "module level")
            self._spread_eager(module)
        self._enter(unit for unit in self._functions if not self._calls.untraced(unit))
        self._enter(unit for unit in self._functions if self._is_called_from_unknown(unit))

    def _is_called_from_unknown(self, unit: Unit) -> bool:
        """Whether nobody knows how the functions run that call a function."""
        units = (unit, *(edge.caller for edge in self._calls.untraced(unit)))
        return all(self._states[id(each)].eager is None for each in units)

    def _enter(self, units: Iterable[Unit]) -> None:
        """Let functions run that tell by themselves how they are run, with all that they call."""
        for unit in units:
            entry = self._entry(unit)
            if entry is not None:
                self._states[id(unit)].eager = entry
                self._spread_eager(unit)

    def _spread_eager(self, start: Unit) -> None:
        pending: deque[tuple[Unit, tuple[int, ...]]] = deque([(start, (id(start),))])
        while pending:
            unit, path = pending.popleft()
            route = self._states[id(unit)].eager
            if route is None or len(route.calls) >= LONGEST_ROUTE:
                continue
            for edge in self._calls.untraced_by(unit):
                if edge.callee.tracing is not None or id(edge.callee) in path:
                    continue
                if self._improve(edge, route):
                    pending.append((edge.callee, (*path, id(edge.callee))))

    def _improve(self, edge: Edge, route: Route) -> bool:
        often = self._loops.often(edge.node, edge.caller.node)
        if often is Often.NEVER:
            return False
        outer = route.loops if often > Often.SELDOM else ()
        around = self._loops.hot_around(edge.node, edge.caller)
        within = self._loops.hot_comprehensions(edge.node, edge.caller)
        loops = (*outer, *around, *within, *self._turned(edge))
        state = self._states[id(edge.callee)]
        if state.eager is not None and _heat(self._loops, state.eager.loops) >= _heat(
            self._loops, loops
        ):
            return False
        state.eager = Route(route.root, route.reason, (*route.calls, edge.node), loops)
        return True

    def _turned(self, edge: Edge) -> tuple[Turning, ...]:
        """The function that what it is handed to runs many times, as a loop of its own."""
        if edge.how != "eager" or not isinstance(edge.node, cst.Call):
            return ()
        names = self._evaluator.names.of(edge.node.func)
        node = edge.callee.node
        return (node,) if runners.turns(names) and not isinstance(node, cst.Module) else ()

    def _entry(self, unit: Unit) -> Route | None:
        """Why a function runs eagerly, whatever calls it."""
        state = self._states[id(unit)]
        if state.traced is not None or state.unknown or state.handed:
            return None
        if unit.is_lambda or unit.tracing is not None:
            return None
        if unit.launcher is not None:
            assert isinstance(unit.node, cst.FunctionDef)
            turned = (unit.node,) if unit.summary.decoration.is_turned else ()
            reason = "its decorator runs it, or has it run, in Python"
            return Route(unit.launcher, reason, loops=turned)
        holder = unit.scope.parent
        nested = holder is not None and holder.kind is ScopeKind.FUNCTION
        if nested:
            return None
        info = unit.class_
        heads = decorators_of(info.node) if info is not None else []
        if runners.collects(unit, map(self._evaluator.names.of, heads)) and self._holds_tests(unit):
            return Route(unit.node, "a runner of tests runs it")
        if info is not None and runners.starts(info.base_names, unit.name):
            return Route(unit.node, "a thread or process of its own runs it")
        is_turned = info is not None and (
            runners.turns_method(info, unit.name) or self._is_driven(info, unit.name)
        )
        if is_turned:
            assert isinstance(unit.node, cst.FunctionDef)
            return Route(unit.node, "a framework runs it many times", loops=(unit.node,))
        if info is not None and info.role is Kind.CALLBACK and unit.name.startswith("on_"):
            return Route(unit.node, "Keras calls it from Python")
        inner = (e.callee for e in self._calls.untraced_by(unit) if e.callee.parent is unit)
        for each in (unit, *inner):
            evidence = self._evidence(each)
            if evidence is not None:
                return Route(*evidence)
        sure = first(unit, self._always_run, self._sure_evidence, self._without_evidence)
        if sure is not None:
            return Route(*sure)
        is_handed = bool(self._calls.handed(unit))
        loop = self._training(unit) if is_handed else self._training_loop(unit)
        if loop is not None:
            return Route(loop, "holds a loop of training steps")
        loop = self._inferring_loop(unit) if not is_handed else None
        return Route(loop, "holds a loop that runs a model on whole data") if loop else None

    def _evidence(self, unit: Unit) -> tuple[cst.CSTNode, str] | None:
        key = id(unit)
        if key not in self._known_evidence:
            self._known_evidence[key] = host.evidence(unit, self._evaluator)
        return self._known_evidence[key]

    def _sure_evidence(self, unit: Unit) -> tuple[cst.CSTNode, str] | None:
        found = self._evidence(unit)
        return found if found is not None and self._always(found[0], unit) else None

    def _is_driven(self, info: ClassInfo, method: str) -> bool:
        """Whether the project tells that a driver runs a method many times, in Python."""
        taught = self._evaluator.names.taught
        names = [taught.of(f"{base}.{method}") for base in info.base_names]
        owned = (taught.of_definition(c.scope.module, c.name, method) for c in info.lineage())
        return runners.turns([*names, *(name for name in owned if name is not None)])

    def _training(self, unit: Unit) -> Loop | None:
        """The training loop of a function, or of one that each call of it runs as well."""
        return first(unit, self._always_run, self._training_loop, self._without_training)

    def _always_run(self, unit: Unit) -> list[Unit]:
        """The functions that each call of a function calls."""
        known = self._known_always.get(id(unit))
        if known is None:
            edges = (e for e in self._calls.untraced_by(unit) if e.how == "call")
            known = [e.callee for e in edges if self._always(e.node, unit)]
            self._known_always[id(unit)] = known
        return known

    def _always(self, node: cst.CSTNode, unit: Unit) -> bool:
        return self._always_in(node, unit.node)

    def _always_in(self, node: cst.CSTNode, top: cst.CSTNode) -> bool:
        return self._loops.often(node, top) is Often.ALWAYS

    def _training_loop(self, unit: Unit) -> Loop | None:
        """A loop of a function whose turns surely train, here or in what they call, or that surely
        turns many times and has tapes of its own: a whole training or search is no step that
        anybody would trace."""
        for node in unit.own(cst.For, cst.While):
            if self._loops.info(node).is_short:
                continue
            work = self._works.of_body(node)
            if work.is_training_step and self._loops.info(node).is_certain:
                return node
            below = [self._works.of_unit(callee) for callee in work.callees]
            if any(each.is_training_step and each.updates for each in (work, *below)):
                return node
        return None

    def _inferring_loop(self, unit: Unit) -> Loop | None:
        """A loop of a function, of no Keras object, whose turns surely run a model on the samples and
        labels of a whole data set, or of which it tells by `print`: an evaluation or a generation
        is no step that anybody would trace either."""
        if unit.class_ is not None and unit.class_.role is not Kind.OBJECT:
            return None
        names = self._evaluator.names
        prints = any("builtins.print" in names.of(call.func) for call in unit.own(cst.Call))
        for node in unit.own(cst.For, cst.While):
            if self._loops.info(node).is_certain and (prints or self._loops.has_labels(node)):
                work = self._works.of_body(node)
                works = (work, *map(self._works.of_unit, work.callees))
                if any(self._is_model(call) for each in works for call in each.model_calls):
                    return node
        return None

    def _is_model(self, call: cst.Call) -> bool:
        return self._evaluator.values.get(id(call.func), UNKNOWN).kind is Kind.MODEL


def _heat(loops: Loops, chain: tuple[Turning, ...]) -> tuple[int, int]:
    certain = sum(1 for loop in chain if loops.info(loop).is_certain)
    return certain, len(chain)
