"""Explanations: for each function, how it runs, what it does, and whether it should be traced."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import libcst as cst

from tfxla_lint.budgets import TooMuchError
from tfxla_lint.rewriting.hoist import hoist
from tfxla_lint.semantics.positions import PositionsError
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.source import Source, SourceError

if TYPE_CHECKING:
    from tfxla_lint.linter import Linter
    from tfxla_lint.semantics.contexts import Route
    from tfxla_lint.semantics.loops import Loop, Turning
    from tfxla_lint.semantics.model import SemanticModel

YES = "yes"
NO = "no"
UNKNOWN = "unknown"

#: These say that something is not known, the other reasons that something is wrong.
_UNDECIDED = frozenset({Reason.UNRESOLVED_CALL, Reason.UNKNOWN_DECORATOR})


@dataclass(frozen=True)
class Explanation:
    """What is known of one function, or of one `loop` of a module; "yes", "no" or "unknown".

    `decoratable` speaks of safety alone, of a loop whether its body can become a `tf.function`, and
    `worthwhile` of the benefit alone. `tensor_work` counts TensorFlow calls, those of called
    functions included. `blockers` keep the function from being decorated.
    """

    unit: Unit
    traced: str
    xla: str
    hot: str
    tensor_work: int
    decoratable: str
    worthwhile: str
    blockers: list[Blocker] = field(default_factory=list)
    eager_route: Route | None = None
    traced_route: Route | None = None
    loops: tuple[Turning, ...] = ()
    loop: Loop | None = None


def explain(model: SemanticModel) -> list[Explanation]:
    """One explanation for each function and method, and for each loop of the module with tensor
    work, in document order; lambdas have none.
    """
    units = [unit for unit in model.units.all if isinstance(unit.node, cst.FunctionDef)]
    found = [_explain(model, unit) for unit in units]
    module = model.units.all[0]
    every: tuple[Loop, ...] = (*model.nodes(cst.For), *model.nodes(cst.While))
    loops = [loop for loop in every if model.unit(loop) is module]
    found += [item for loop in loops if (item := _explain_loop(model, module, loop)).tensor_work]
    return sorted(found, key=lambda item: model.span(head(item)).start)


def _explain_loop(model: SemanticModel, module: Unit, loop: Loop) -> Explanation:
    step = next((step for step in model.steps.loops if step.loop is loop), None)
    if step is not None:
        blockers = hoist(model, step)[1]
    else:
        blockers = model.ask(Safety).region_blockers(module, loop.body.body, set())
    info = model.loops.info(loop)
    return Explanation(
        module,
        NO,
        NO,
        YES if info.is_certain else NO if info.is_short else UNKNOWN,
        model.works.of([loop.body]).inline,
        NO if any(b.reason not in _UNDECIDED for b in blockers) else UNKNOWN if blockers else YES,
        YES if step is not None else NO,
        blockers,
        loops=tuple(model.loops.around(loop, module)),
        loop=loop,
    )


def _explain(model: SemanticModel, unit: Unit) -> Explanation:
    contexts = model.contexts
    traced_route = contexts.traced(unit)
    loops = _loops(model, unit)
    blockers = model.ask(Safety).unit_blockers(unit)
    work = model.works.total(unit)
    traced = _traced(model, unit)
    hot = _hot(model, unit, loops)
    return Explanation(
        unit,
        traced,
        _compiled(model, unit, traced),
        hot,
        work,
        _decoratable(unit, blockers),
        _worthwhile(model, unit, work, traced, hot),
        blockers,
        contexts.eager(unit),
        traced_route,
        loops,
    )


def _traced(model: SemanticModel, unit: Unit) -> str:
    if model.contexts.traced(unit) is not None:
        return YES
    return NO if model.contexts.is_only_eager(unit) else UNKNOWN


def _compiled(model: SemanticModel, unit: Unit, traced: str) -> str:
    if model.contexts.compiled(unit) is not None:
        return YES
    route = model.contexts.traced(unit)
    written_out = route is not None and route.tracing is not None
    return NO if traced == NO or written_out else UNKNOWN


def _loops(model: SemanticModel, unit: Unit) -> tuple[Turning, ...]:
    """The loops that run the function: on its eager route, or around calls of a traced one."""
    loops = model.contexts.hot_loops(unit)
    for edge in model.calls.direct(unit):
        if edge.tracing is not None:
            around = model.loops.hot_around(edge.node, edge.caller)
            loops = max(loops, (*model.contexts.hot_loops(edge.caller), *around), key=len)
    return loops


def _hot(model: SemanticModel, unit: Unit, loops: tuple[Turning, ...]) -> str:
    if any(model.loops.info(loop).is_certain for loop in loops):
        return YES
    if loops or not model.contexts.is_only_eager(unit):
        return UNKNOWN
    return NO


def _decoratable(unit: Unit, blockers: list[Blocker]) -> str:
    if any(blocker.reason not in _UNDECIDED for blocker in blockers):
        return NO
    if blockers or any(p.value.kind is Kind.UNBOUND for p in unit.parameters[unit.is_method :]):
        return UNKNOWN
    return YES


def _worthwhile(model: SemanticModel, unit: Unit, work: int, traced: str, hot: str) -> str:
    """A call of a traced function costs more than one small op: there must be some to save."""
    if traced == YES or work <= 1 or hot == NO:
        return NO
    return YES if hot == YES and model.steps.has_enough(unit) else UNKNOWN


def model_of(source: Source, place: Path) -> SemanticModel:
    """The model of a file that can be parsed, among its neighbours; `place` is absolute.

    Raises SettingsError, and SourceError where it cannot be analysed.
    """
    return looked_at(source, place)[0]


def looked_at(source: Source, place: Path) -> tuple[SemanticModel, Linter]:
    """The model of a file, as `model_of` gives it, and what lints the file for steps that are not
    traced, under the settings that hold for it.
    """
    from tfxla_lint.discovery import Target
    from tfxla_lint.linter import Linter
    from tfxla_lint.neighbourhood import projects_of
    from tfxla_lint.planning import Planner
    from tfxla_lint.recording import Recording
    from tfxla_lint.registry import read_catalogue
    from tfxla_lint.semantics.parsing import parsed
    from tfxla_lint.settings.layer import Layer
    from tfxla_lint.settings.resolver import SettingsResolver
    from tfxla_lint.worlds import Worlds

    resolver = SettingsResolver(Layer(Path.cwd()))
    settings = resolver.for_folder(place.parent)
    worlds = Worlds(projects_of([Target(place, source.path, settings)], resolver))
    planner = Planner(read_catalogue())
    options = planner.options(place, settings)
    recording = Recording.read(options.profile) if options.profile is not None else None
    version = options.version_for(source)
    try:
        tree = parsed(source.text)
        model = worlds.model(tree, source, place, version, recording, options.taught)
        _ = model.positions
    except (TooMuchError, cst.ParserSyntaxError, PositionsError) as error:
        why = str(error).splitlines()[0]
        is_told = isinstance(error, TooMuchError)
        raise SourceError(why if is_told else f"it cannot be analysed: {why}") from error
    except RecursionError as error:
        raise SourceError(str(TooMuchError.of_depth())) from error
    steps = {rule.code for rule in planner.catalogue.rules if rule.reports_steps}
    options = replace(options, enabled=options.enabled & steps)
    return model, Linter(planner.catalogue, options, worlds)


def as_json(model: SemanticModel, item: Explanation) -> dict[str, Any]:
    """An explanation as `explain --output-format json` prints it."""
    return {
        "function": item.unit.qualname,
        **_as_place(model, head(item)),
        "traced": item.traced,
        "xla": item.xla,
        "hot": item.hot,
        "tensor_work": item.tensor_work,
        "decoratable": item.decoratable,
        "worthwhile": item.worthwhile,
        "blockers": [
            {"reason": b.reason.value, **_as_place(model, b.node), "message": b.message}
            for b in item.blockers
        ],
    }


def _as_place(model: SemanticModel, node: cst.CSTNode) -> dict[str, int]:
    span = model.span(node)
    cell = {"cell": span.cell.index} if span.cell is not None else {}
    return {**cell, "line": span.shown_line}


def head(item: Explanation) -> cst.CSTNode:
    """What stands on the line of the `def` (decorators stand above it), or the loop."""
    node = item.loop or item.unit.node
    return cast("cst.CSTNode", getattr(node, "name", node))
