"""Where a hoisted function goes: module level, nested in the function, or a method beside it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.rewriting.tensor_arguments import number_dtype
from tfxla_lint.semantics.flow.closure import closure
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.epoch_metrics import resettable_metric
from tfxla_lint.semantics.repetition import is_repeated
from tfxla_lint.semantics.retracing.made_anew import (
    hardly_pays,
    owners,
    serves_each_run,
    serves_each_turn,
    surely_pays,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.keys import argument_blocker, method_blocker
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.steps import StepLoop
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.turns import is_run_once
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import DRAWN, Kind

_MADE_ONCE = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.OPTIMIZER, Kind.METRIC, Kind.LOSS, Kind.VARIABLE, Kind.MODULE,
     Kind.FUNCTION, Kind.TRACED, Kind.GENERATOR}
)  # fmt: skip


@dataclass
class Place:
    """The statement before which the function is put, and what that asks for.

    `metrics` are the lines of loops that make a metric anew on each turn: it has to be made before
    the function, and set back there. `casts` has the dtypes of those extra parameters that
    are Python floats that vary: the call makes tensors of them.
    """

    before: Statement
    metrics: list[cst.SimpleStatementLine] = field(default_factory=list)
    is_method: bool = False
    extra_parameters: list[str] = field(default_factory=list)
    casts: dict[str, str] = field(default_factory=dict)
    blockers: list[Blocker] = field(default_factory=list)


def find_place(
    model: SemanticModel,
    step: StepLoop,
    moved: Sequence[cst.CSTNode],
    parameters: list[str],
    hidden: Collection[int] = (),
    within: cst.CSTNode | None = None,
) -> Place:
    """The place for the function made of `moved`, but for the nodes that are `hidden`, by their ids:
    what the call evaluates. It is made before the loop `within`, if anywhere but beside the unit."""
    unit = step.unit
    metrics: list[cst.SimpleStatementLine] = []
    loop = _outermost_possible(model, step, moved, parameters, metrics, within)
    before = statement_of(model, loop)
    assert isinstance(before, (cst.SimpleStatementLine, cst.BaseCompoundStatement))
    nested = Place(before, metrics, blockers=_made_on_turns(model, step, moved, before))
    if unit.is_module:
        return nested
    is_hot = bool(model.contexts.hot_loops(unit))
    shared = _beside(model, step, moved, parameters, hidden)
    kept = _kept_too_long(model, unit, moved, parameters, within)
    shared.blockers += kept
    if not kept and not is_hot and not is_repeated(model, unit):
        takes_nothing = shared.is_method and not shared.extra_parameters
        is_natural = takes_nothing or (_is_open(model, unit) and not _objects(model, moved, shared))
        return shared if is_natural and not shared.blockers and not metrics else nested
    if not shared.blockers:
        return shared
    if kept and (
        hardly_pays(model, _inside(model, step, before)) or not step.work.is_training_step
    ):
        return shared
    if any(_is_set_by(model, unit, blocker) for blocker in kept):
        return nested
    return nested if _is_for_each_run(model, step, moved, before, is_hot) else shared


def _kept_too_long(
    model: SemanticModel,
    unit: Unit,
    moved: Sequence[cst.CSTNode],
    parameters: list[str],
    within: cst.CSTNode | None,
) -> list[Blocker]:
    """The state that changes between two runs of a unit, which one trace for all of them would keep."""
    if within is None:
        return []
    safety, passed = model.ask(Safety), set(parameters)
    settled = {id(b.node) for b in safety.region_blockers(unit, moved, passed, within)}
    lasting = safety.region_blockers(unit, moved, passed)
    return [blocker for blocker in lasting if id(blocker.node) not in settled]


def _is_set_by(model: SemanticModel, unit: Unit, blocker: Blocker) -> bool:
    """Whether each run of a unit sets the state that a blocker speaks of."""
    read = blocker.read
    if not isinstance(read, cst.Attribute):
        return False
    return model.ask(Safety).state.attribute_changes(read, unit.node)


def _is_for_each_run(
    model: SemanticModel,
    step: StepLoop,
    moved: Sequence[cst.CSTNode],
    before: Statement,
    is_hot: bool,
) -> bool:
    """Whether a function made on each run of the unit is worth its trace."""
    if serves_each_run(model, step.unit, owners(model, moved)):
        return True
    return not is_hot and not hardly_pays(model, _inside(model, step, before))


def _made_on_turns(
    model: SemanticModel, step: StepLoop, moved: Sequence[cst.CSTNode], before: Statement
) -> list[Blocker]:
    """What keeps the function from being made in loops of the unit, on each of their turns."""
    loops = model.loops.around(before, step.unit)
    if not loops or serves_each_turn(model, step.unit, loops, owners(model, moved)):
        return []
    return [] if surely_pays(model, _inside(model, step, before)) else [again(step.loop)]


def _inside(model: SemanticModel, step: StepLoop, before: Statement) -> list[Loop]:
    """The loops that run the step for one function made before a statement."""
    outside = model.loops.around(before, step.unit)
    return [*model.loops.around(step.loop, step.unit)[len(outside) :], step.loop]


def _is_open(model: SemanticModel, unit: Unit) -> bool:
    """Whether code that is not seen may run a unit, as often as it likes."""
    runners = closure([unit], lambda u: (edge.caller for edge in model.calls.untraced(u)))
    return any(
        not (runner.is_module or runner.name == "main" or model.calls.untraced(runner))
        for runner in runners
    )


def _objects(model: SemanticModel, moved: Sequence[cst.CSTNode], place: Place) -> set[str]:
    """The models, optimizers and so on that a function at this place would have to take."""
    return {
        node.value
        for root in moved
        for node in walk(root)
        if isinstance(node, cst.Name)
        and node.value in place.extra_parameters
        and model.value(node).kind in _MADE_ONCE
    }


def beside(model: SemanticModel, unit: Unit) -> Place:
    """The place beside a function: as a method of its class, or in what runs once, as the module does.

    With blockers where nothing can stand there, or be called from it.
    """
    assert isinstance(unit.node, cst.FunctionDef)
    place = Place(unit.node, is_method=unit.method is MethodKind.INSTANCE)
    method = method_blocker(model, unit) if place.is_method else None
    place.blockers += [method] if method is not None else []
    is_plain = unit.method is MethodKind.NONE and (
        _is_made_once(model, unit) or _serves_loops(model, unit)
    )
    is_self = bool(unit.parameters) and unit.parameters[0].name == "self"
    if not (is_self if place.is_method else is_plain):
        place.blockers.append(again(unit.node))
    return place


def _is_made_once(model: SemanticModel, unit: Unit) -> bool:
    """Whether the program defines a function once: in the module, or in what that runs once."""
    parent = unit.parent
    if parent is None or not is_run_once(model, parent):
        return False
    return not model.loops.around(unit.node, parent)


def _serves_loops(model: SemanticModel, unit: Unit) -> bool:
    """Whether loops of the function that defines another one on each run, and nothing else, run that,
    and not a few times as far as one sees."""
    edges = model.calls.from_others(unit)
    loops = [model.loops.around(edge.node, edge.caller) for edge in edges]
    return bool(edges) and all(
        edge.caller is unit.parent
        and around
        and (_turns_long(model, around[-1]) or surely_pays(model, around))
        for edge, around in zip(edges, loops, strict=True)
    )


def _turns_long(model: SemanticModel, loop: Loop) -> bool:
    """Whether a loop goes through what is often long, and nobody says how long."""
    info = model.loops.info(loop)
    return info.turns is None and info.over in ("dataset", "while")


def _beside(
    model: SemanticModel,
    step: StepLoop,
    moved: Sequence[cst.CSTNode],
    parameters: list[str],
    hidden: Collection[int],
) -> Place:
    """The place beside the function that holds the step, so that all its runs share one trace."""
    unit = step.unit
    place = beside(model, unit)
    if unit.method is not MethodKind.INSTANCE and place.blockers:
        return place
    receiver = unit.parameters[0].name if place.is_method and unit.parameters else ""
    closures = _closures(model, step, moved, parameters, hidden)
    place.extra_parameters = [name for name in closures if name != receiver]
    for name in place.extra_parameters:
        if _can_be_passed(model, step, moved, name) and not _varies(model, step, name):
            continue
        parameter = unit.parameter(name)
        dtype = number_dtype(model, unit, parameter) if parameter is not None else None
        if dtype is not None:
            place.casts[name] = dtype
        else:
            place.blockers.append(again(unit.node))
            break
    return place


def again(node: cst.CSTNode) -> Blocker:
    """What keeps a step from being made where it would be made many times."""
    message = "is run many times, and each run would make and trace the step anew"
    return Blocker(Reason.DIFFERENT_OBJECTS, node, message)


def _outermost_possible(
    model: SemanticModel,
    step: StepLoop,
    moved: Sequence[cst.CSTNode],
    parameters: list[str],
    metrics: list[cst.SimpleStatementLine],
    within: cst.CSTNode | None,
) -> Loop:
    """The outermost loop around the step that binds no model or optimizer that it closes over, none
    around `within`.

    The lines that make what need not be bound there are added to `metrics`.
    """
    around = [*model.loops.around(step.loop, step.unit), step.loop]
    lasting = {
        node.value
        for root in moved
        for node in walk(root)
        if isinstance(node, cst.Name) and model.value(node).kind in _MADE_ONCE
    }
    chosen: Loop = step.loop
    for loop in reversed(around):
        if _are_bound_again(model, step, metrics, loop):
            break
        bound = bound_names([loop]) - bound_names(moved)
        clash = {n for n in lasting & bound if n in parameters}
        outside = sorted(name for name in clash if _bound_outside_step(step, name))
        lines = [resettable_metric(model, name, step.unit.scope, loop) for name in outside]
        for name in outside:
            parameters.remove(name)
        if len(outside) < len(clash) or None in lines:
            break
        metrics += [
            n for n in walk(loop.body) if isinstance(n, cst.SimpleStatementLine) and n in lines
        ]
        chosen = loop
        if loop is within:
            break
    return chosen


def _are_bound_again(
    model: SemanticModel, step: StepLoop, lines: Sequence[cst.SimpleStatementLine], loop: Loop
) -> bool:
    """Whether a loop binds the metrics of some lines elsewhere too, to others on each turn."""
    return any(
        loop in (above := list(model.ancestors(binding.node)))
        and not any(line in above for line in lines)
        for name in bound_names(lines)
        for binding in step.unit.scope.bindings.get(name, ())
    )


def _bound_outside_step(step: StepLoop, name: str) -> bool:
    return name not in bound_names([step.loop])


def _closures(
    model: SemanticModel,
    step: StepLoop,
    moved: Sequence[cst.CSTNode],
    parameters: list[str],
    hidden: Collection[int],
) -> list[str]:
    """Names of the enclosing function that the moved statements read, but for the parameters."""
    bound = bound_names(moved)
    found: list[str] = []
    for root in moved:
        for node in walk(root):
            if not isinstance(node, cst.Name) or node.value in found or id(node) in hidden:
                continue
            if node.value in parameters or node.value in bound:
                continue
            home = model.binder.scope(node).home(node.value)
            if home is step.unit.scope:
                found.append(node.value)
    return found


def _can_be_passed(
    model: SemanticModel, step: StepLoop, moved: Sequence[cst.CSTNode], name: str
) -> bool:
    """Whether the step can take the local object as an argument of each of its calls."""
    reads = (node for root in moved for node in walk(root))
    read = next(node for node in reads if isinstance(node, cst.Name) and node.value == name)
    value = model.value(read)
    if argument_blocker(model, name, value, read) is not None:
        return False
    if value.kind in _MADE_ONCE:
        bindings = step.unit.scope.bindings.get(name, ())
        return not any(_may_make(model, binding) for binding in bindings)
    if value.is_python_scalar:
        return value.loop is None and value.name != DRAWN
    return value.kind is Kind.TENSOR and not value.mixed


def _may_make(model: SemanticModel, binding: Binding) -> bool:
    """Whether a binding of the unit may bring another object on each of its runs."""
    if binding.kind is BindingKind.PARAMETER:
        return False
    value = model.flow.source(binding)
    return value is None or any(isinstance(node, cst.Call) for node in walk(value))


def _varies(model: SemanticModel, step: StepLoop, name: str) -> bool:
    """Whether a parameter of the unit is given different objects, or Python numbers."""
    parameter = step.unit.parameter(name)
    if parameter is None:
        return False
    return bool(model.ask(Safety).parameter_blockers(step.unit, parameter))
