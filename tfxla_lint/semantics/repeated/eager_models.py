"""Models, layers and modules that a loop calls eagerly, one call or a few per turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.excuses import SETTING_UP
from tfxla_lint.semantics.effects.raw import runs_raw
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.loops import Loop, Turning, turned_code
from tfxla_lint.semantics.repetition import runs_few_times
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.turns import is_rare, is_taped, step_loop
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value, holds_keras_tensor

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.model import SemanticModel

#: A loop of at least so many turns makes up for the trace of what it calls once on each.
_ENOUGH_TURNS = 20
#: What advice to trace runs into at once, as against what is merely not known.
_SURE = frozenset(
    {Reason.EAGER_ONLY_CALL, Reason.NUMPY, Reason.SIDE_EFFECT, Reason.FROZEN_VALUE,
     Reason.CREATION, Reason.GENERATOR, Reason.CHANGING_STATE}
)  # fmt: skip


@dataclass
class EagerModel:
    """The calls of one model in one unit that `loop` runs on its turns."""

    unit: Unit
    loop: Turning
    calls: list[cst.Call] = field(default_factory=list)
    blockers: list[Blocker] = field(default_factory=list)


def eager_models(model: SemanticModel) -> list[EagerModel]:
    """All of them, in document order of their first calls."""
    return model.once("eager_models", lambda: _eager_models(model))


def _eager_models(model: SemanticModel) -> list[EagerModel]:
    found: dict[tuple[int, int, str], EagerModel] = {}
    if _replaces_calls(model):
        return []
    for call in model.nodes(cst.Call):
        if not is_model_call(model, call) or is_taped(model, call):
            continue
        loop = step_loop(model, call)
        if (
            loop is None
            or runs_few_times(model, call)
            or _is_made_in(model, _run_by(model, call), loop)
            or _is_restored(model, _run_by(model, call))
        ):
            continue
        blockers = list(_blockers(model, call))
        if any(blocker.reason in _SURE for blocker in blockers):
            continue
        unit = model.unit(call)
        key = id(unit), id(loop), model.code(call.func)
        group = found.setdefault(key, EagerModel(unit, loop))
        group.calls.append(call)
        group.blockers += blockers
    return list(found.values())


def models_beside(model: SemanticModel, loop: Loop, unit: Unit) -> list[EagerModel]:
    """The models that the loop around a loop of steps calls eagerly on each of its turns as well.

    Such a call is not worth a report, since the steps take most of the time until they are traced.
    """
    around = model.loops.around(loop, unit)
    turns = model.loops.info(around[-1]).turns if around else 0
    if not around or (turns is not None and turns < _ENOUGH_TURNS) or _replaces_calls(model):
        return []
    outer = around[-1]
    calls = (
        call
        for call in walk(outer.body, into_scopes=False)
        if isinstance(call, cst.Call)
        and isinstance(call.func, cst.Name)
        and model.loops.around(call, unit) == around
        and not is_rare(model, call, outer)
        and not is_taped(model, call)
    )
    return _grouped(model, unit, outer, calls)


def models_below_tapes(model: SemanticModel, unit: Unit, loop: Turning | None) -> list[EagerModel]:
    """The models that a step calls below its tapes, and beside them: of a loop, or of a function.

    None in a module that asks layers for their losses, which a trace would keep for itself.
    """
    turning = loop if loop is not None else unit.node
    if _replaces_calls(model) or isinstance(turning, cst.Module):
        return []
    asked = (node for node in model.nodes(cst.Attribute) if node.attr.value == "losses")
    if any(not model.names.of(node) for node in asked):
        return []
    roots = [turned_code(loop)] if loop is not None else unit.body
    nodes = [node for root in roots for node in walk(root, into_scopes=False)]
    calls = [node for node in nodes if isinstance(node, cst.Call)]
    found = _grouped(model, unit, turning, calls)
    return [group for group in found if any(is_taped(model, call) for call in group.calls)]


def _grouped(
    model: SemanticModel, unit: Unit, loop: Turning, calls: Iterable[cst.CSTNode]
) -> list[EagerModel]:
    """The calls among some that run models which last longer than a turn, by model."""
    found: dict[str, EagerModel] = {}
    for call in calls:
        if not isinstance(call, cst.Call) or not is_model_call(model, call):
            continue
        if _is_made_in(model, _run_by(model, call), loop):
            continue
        group = found.setdefault(model.code(call.func), EagerModel(unit, loop))
        group.calls.append(call)
        group.blockers += _blockers(model, call)
    return list(found.values())


def _replaces_calls(model: SemanticModel) -> bool:
    """Whether a model's `call` is assigned to: it may be a traced one."""
    targets = (node.target for node in model.nodes(cst.AssignTarget))
    return any(isinstance(t, cst.Attribute) and t.attr.value == "call" for t in targets)


def is_model_call(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call runs a lasting model, a layer of many ops or a `tf.Module` on values."""
    function = model.value(call.func)
    if function.kind is Kind.METHOD and function.name == "call" and function.receiver is not None:
        # `self.call(x)` runs the model as `self(x)` does.
        function = function.receiver
    if not (isinstance(call.func, (cst.Name, cst.Attribute)) or is_entry(call.func)):
        return False
    if not _is_heavy(function):
        return False
    if isinstance(call.func, cst.Name) and _is_loop_target(model, call.func):
        return False
    values = [model.value(call), *(model.value(argument.value) for argument in call.args)]
    if any(holds_keras_tensor(value) for value in values):
        return False
    return not any(_runs_traced(model, c.unit) for c in model.callees(call))


def is_entry(node: cst.CSTNode) -> bool:
    """Whether a model is taken out of a collection by a key that is written out: `models["encoder"]`."""
    if not isinstance(node, cst.Subscript) or len(node.slice) != 1:
        return False
    index = node.slice[0].slice
    key = index.value if isinstance(index, cst.Index) else None
    return isinstance(key, (cst.SimpleString, cst.Integer)) and isinstance(
        node.value, (cst.Name, cst.Attribute)
    )


def _run_by(model: SemanticModel, call: cst.Call) -> cst.BaseExpression:
    """What names the model that a call runs: `net` in `net(x)` and in `net.call(x)`."""
    function = call.func
    is_method = model.value(function).kind is Kind.METHOD
    return function.value if isinstance(function, cst.Attribute) and is_method else function


def _is_heavy(function: Value) -> bool:
    if function.name == "super":
        return False
    if function.kind is Kind.LAYER:
        return function.class_ is not None or function.name in behaviour.names(Trait.MANY_OPS)
    return function.kind is Kind.MODEL or (
        function.kind is Kind.MODULE and function.class_ is not None
    )


def _is_loop_target(model: SemanticModel, name: cst.Name) -> bool:
    bindings = model.flow.reached(name).bindings
    return any(binding.kind is BindingKind.FOR for binding in bindings)


def _is_made_in(model: SemanticModel, node: cst.BaseExpression, loop: Turning) -> bool:
    """Whether each turn of the loop has a model of its own, also where it is passed on."""
    inside = model.ask(_ids_in, loop)
    below = _run_by_turns(model, model.unit(node), inside)

    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        if is_entry(made):
            assert isinstance(made, cst.Subscript)
            return _is_filled(model, made.value, inside) or bool(origins.of(made.value))
        if not isinstance(made, cst.Name):
            return False
        bindings = model.flow.reached(made).bindings
        if any(_is_being_made(model, binding) for binding in bindings):
            return True
        if any(id(b.node) in inside or _makes_model(model, b, below) for b in bindings):
            return True
        return THROUGH

    through = Through(callers=model.calls.untraced, agree=Agree.ANY)
    origins = Origins(model.flow, through, judge)
    return bool(origins.of(node))


def _is_filled(model: SemanticModel, holder: cst.BaseExpression, inside: frozenset[int]) -> bool:
    """Whether a loop puts anything into a collection: `models["encoder"] = build()`."""
    text = model.code(holder)
    stored = (t.target for t in model.nodes(cst.AssignTarget) if id(t) in inside)
    return any(isinstance(t, cst.Subscript) and model.code(t.value) == text for t in stored)


def _is_restored(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether a model may be of a SavedModel, a folder: Keras 2 runs the graphs in it where it does
    not know the class."""

    def judge(made: cst.CSTNode, path: Path) -> bool | Look:
        if not isinstance(made, cst.Call):
            return THROUGH if isinstance(made, (cst.Name, cst.Attribute)) else False
        given = model.value(made.args[0].value).constant if made.args else None
        is_folder = isinstance(given, str) and "." not in given.rpartition("/")[2]
        return is_folder and any(n.endswith(".load_model") for n in model.names.of(made.func))

    through = Through(callers=model.calls.untraced, agree=Agree.ANY)
    return bool(Origins(model.flow, through, judge).of(node))


def _ids_in(model: Answers, loop: Turning) -> frozenset[int]:
    return frozenset(id(inner) for inner in walk(loop))


def _run_by_turns(model: SemanticModel, unit: Unit, inside: frozenset[int]) -> set[int]:
    """The functions by which the turns of a loop come to run a unit, and the unit itself."""
    route = model.contexts.eager(unit)
    calls = route.calls if route is not None else ()
    first = next((at for at, call in enumerate(calls) if id(call) in inside), None)
    return set() if first is None else {id(model.unit(c)) for c in calls[first + 1 :]} | {id(unit)}


def _makes_model(model: SemanticModel, binding: Binding, below: set[int]) -> bool:
    """Whether one of some functions makes the model that it gives a name."""
    made = binding.value
    if not isinstance(made, cst.Call) or id(model.unit_of_scope(binding.scope)) not in below:
        return False
    function = model.value(made.func)
    return function.kind in (Kind.CLASS, Kind.FUNCTION) or bool(model.names.of(made.func))


def _is_being_made(model: SemanticModel, binding: Binding) -> bool:
    """Whether a name is the object that a method sets up, which runs once for each object."""
    unit = model.unit_of_scope(binding.scope)
    if binding.kind is not BindingKind.PARAMETER or unit.name not in SETTING_UP:
        return False
    return unit.is_method and unit.parameters[0].name == binding.name


def _runs_traced(model: SemanticModel, unit: Unit) -> bool:
    """Whether a model's own code hands its work to a traced function.

    That a traced function runs the model elsewhere says nothing of this call.
    """
    return any(
        inner.tracing is not None
        or ((route := model.contexts.traced(inner)) and route.tracing and not route.calls)
        or model.works.of_unit(inner).traced_calls
        for inner in model.works.done_by(unit)
    )


def _blockers(model: SemanticModel, call: cst.Call) -> Iterator[Blocker]:
    """What keeps the model itself from being traced."""
    for callee in model.callees(call):
        is_raw = runs_raw(model, call)
        yield from model.ask(Safety).callee_blockers(callee.unit, is_raw=is_raw)
    held = model.ask(Safety).held_blocker(model.unit(call), call)
    if held is not None:
        yield held
