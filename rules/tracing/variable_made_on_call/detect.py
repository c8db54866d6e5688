"""Variables that a function makes on every call: its own, and those of layers, metrics and models."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.effects.eager_only import symbolic_argument
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import SETTING_UP, is_excused, is_set_up
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.guards import runs_once
from tfxla_lint.semantics.loops import Turning
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repeated.invariance import is_bound_in
from tfxla_lint.semantics.repetition import runs_few_times
from tfxla_lint.semantics.turns import is_rare, runs_steps, trains_each_turn
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import Kind

_LAYERS = "tensorflow.keras.layers."
_VARIABLE = "tensorflow.Variable"
_MAKING_AT_ONCE = (
    _VARIABLE, "tensorflow.keras.optimizers.", "tensorflow.keras.metrics.",
    "tensorflow.random.Generator.from_seed",
)  # fmt: skip
_NO_VARIABLES = ("tensorflow.keras.optimizers.schedules.", "tensorflow.keras.optimizers.get")
_OPTIMIZERS = "tensorflow.keras.optimizers."
#: The one optimizer that may keep nothing from step to step; the others would begin anew.
_PLAIN = "SGD"
#: To make so many in all takes less time than anybody notices.
_FEW_MADE = 16
#: What sets the weights of a layer to what its maker says.
_SET_WEIGHTS = ("initializer", "weights")
#: Layers with weights. Those that draw random numbers have a state too, in some versions of Keras.
_WITH_WEIGHTS = behaviour.leaves("tensorflow.keras.layers", Trait.WITH_WEIGHTS)


@dataclass(frozen=True, slots=True)
class MadeVariable:
    """A call that makes variables; `what` names it, and `kind` says what it makes."""

    node: cst.Call
    what: str
    kind: Kind = Kind.LAYER


def made_in_trace(model: SemanticModel, unit: Unit) -> Iterator[MadeVariable]:
    """What a traced unit's own code makes on every call; a condition of Python's may stop it."""
    if is_set_up(model, unit, EffectKind.MAKE):
        return
    for node in unit.own(cst.Call):
        name = model.names.one(node.func)
        if name is not None and _makes_at_once(model, node, name):
            what = _short(name)
        elif is_weight(model, node) or (
            _is_layer_with_weights(model, node) and _is_called(model, node, unit)
        ):
            what = _layer_name(model, node)
        else:
            continue
        kind = EffectKind.FRESH if _is_run_at_once(model, node) else EffectKind.MAKE
        if not is_excused(model, kind, node):
            yield MadeVariable(node, what)


def made_in_call(model: SemanticModel, unit: Unit) -> Iterator[MadeVariable]:
    """The layers with weights that the `call` of a layer or model makes and runs, or a function that
    is called by such alone; and the variables that it makes."""
    if not _is_call(unit):
        callers = [edge.caller for edge in model.calls.from_others(unit)]
        if (
            not callers
            or not all(_is_call(caller) for caller in callers)
            or unit.name in SETTING_UP
        ):
            return
    if _builds_graph(model, unit):
        return
    for node in unit.own(cst.Call):
        is_layer = _is_layer_with_weights(model, node) and _is_called(model, node, unit)
        is_variable = model.names.one(node.func) == _VARIABLE or is_weight(model, node)
        if (is_layer or is_variable) and not _is_meant(model, node, unit):
            kind = Kind.VARIABLE if is_variable else Kind.LAYER
            yield MadeVariable(node, _layer_name(model, node), kind)


def is_weight(model: SemanticModel, node: cst.Call) -> bool:
    """Whether a layer or model is asked for a new variable: `self.add_weight(...)`."""
    function = model.value(node.func)
    receiver = function.receiver if function.kind is Kind.METHOD and function.unit is None else None
    is_keras = receiver is not None and receiver.kind in (Kind.LAYER, Kind.MODEL)
    return is_keras and model.value(node).kind is Kind.VARIABLE


def _builds_graph(model: SemanticModel, unit: Unit) -> bool:
    """Whether all calls in sight hand the `call` that a unit is, or is part of, symbolic tensors: what
    it makes is then of the functional model around it, and kept there."""
    calls = [unit] if _is_call(unit) else [e.caller for e in model.calls.from_others(unit)]
    return all(
        bool(edges := model.calls.direct(each))
        and all(symbolic_argument(model, edge) is not None for edge in edges)
        and not model.ask(_is_run_by_loop, each.class_)
        for each in calls
    )


def _is_run_by_loop(model: Answers, info: ClassInfo | None) -> bool:
    """Whether `fit` or the like of an object of a class is called."""
    functions = (call.func for call in model.everywhere(cst.Call))
    return any(
        isinstance(function, cst.Attribute)
        and function.attr.value in api.KERAS_LOOP_METHODS
        and model.value(function.value).class_ is info
        for function in functions
    )


def _is_meant(model: SemanticModel, node: cst.Call, unit: Unit) -> bool:
    """Whether a test may stop a second making; nobody keeps what is called as soon as it is made."""
    if not _is_run_at_once(model, node):
        return is_excused(model, EffectKind.MAKE, node)
    return runs_once(model, node) or model.loops.often(node, unit.node) is Often.NEVER


def _is_call(unit: Unit) -> bool:
    """Whether a unit is the `call` of a layer or model."""
    info = unit.class_
    is_keras = info is not None and info.role in (Kind.LAYER, Kind.MODEL)
    return is_keras and unit.name in ("call", "__call__")


def made_each_turn(model: SemanticModel, unit: Unit) -> Iterator[tuple[MadeVariable, Turning]]:
    """What eager code makes, and uses once, on every turn of a loop of steps: optimizers, metrics,
    layers with weights, models, and variables that only stand for a tensor.

    An optimizer that keeps nothing from step to step loses nothing; what is made for a whole loop of
    steps keeps what it needs.
    """
    route = model.contexts.eager(unit)
    if route is None or not model.contexts.is_only_eager(unit) or unit.name in SETTING_UP:
        return
    for node in unit.own(cst.Call):
        uses = _uses(model, node, unit)
        loops = [*route.loops, *model.loops.hot_around(node, unit)] if uses else []
        if not loops or not model.loops.info(loops[-1]).is_certain:
            continue
        if is_excused(model, EffectKind.MAKE, node) and not _is_by_option(model, node, loops[-1]):
            continue
        is_rarely = any(is_rare(model, n, loop) for loop in loops for n in (node, *route.calls))
        here = model.loops.around(node, unit)
        is_once = all(model.loops.around(use, unit) == here for use in uses)
        kind = model.value(node).kind
        if is_once and not is_rarely and not _is_around_steps(model, loops[-1], kind):
            is_built = kind in (Kind.LAYER, Kind.MODEL) and not _runs_on_data(model, loops[-1])
            if kind is Kind.OPTIMIZER or not (is_built or _is_tried(model, node, loops[-1])):
                yield MadeVariable(node, _layer_name(model, node), kind), loops[-1]


def _is_by_option(model: SemanticModel, node: cst.Call, loop: Turning) -> bool:
    """Whether only flags that no turn sets keep a turn from a call: they hold on all turns or none."""
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    tests = [condition.node for condition in model.loops.frequency.conditions(node, loop)]
    return bool(tests) and all(
        isinstance(test, cst.Name) and not is_bound_in(model, test, loop) for test in tests
    )


def _is_around_steps(model: SemanticModel, loop: Turning, kind: Kind) -> bool:
    """Whether the turns of a loop are epochs: what is made for one lasts for all of its steps.

    A turn that takes data runs the model that it makes itself, whatever loops follow there.
    """
    if kind is Kind.MODEL and model.loops.info(loop).over in ("dataset", "data"):
        return trains_each_turn(model, loop)
    return runs_steps(model, loop)


def _runs_on_data(model: SemanticModel, loop: Turning) -> bool:
    """Whether the turns surely run layers on values: they go through data, or take gradients.

    The turns of other loops may build a model from symbolic tensors.
    """
    if model.loops.info(loop).over in ("dataset", "data", "framework"):
        return True
    if not isinstance(loop, (cst.For, cst.While)):
        return False
    work = model.works.of_body(loop)
    below = (inner for unit in work.callees for inner in model.works.done_by(unit))
    return bool(work.tapes) or any(model.works.of_unit(unit).tapes for unit in below)


def _is_tried(model: SemanticModel, node: cst.Call, loop: Turning) -> bool:
    """Whether each turn makes another one, of another size or to compare a few."""
    if runs_few_times(model, node, _FEW_MADE) or any(given.star for given in node.args):
        return True
    words = (given.keyword.value for given in node.args if given.keyword is not None)
    if any(word.endswith(_SET_WEIGHTS) for word in words):
        return True
    return isinstance(loop, (cst.For, cst.While)) and any(
        is_bound_in(model, given.value, loop) for given in node.args
    )


def _uses(model: SemanticModel, node: cst.Call, unit: Unit) -> list[cst.Call]:
    """Where what a call makes is used, that keeps something from one use to the next."""
    kind = model.value(node).kind
    if kind is Kind.OPTIMIZER:
        return _steps_taken(model, node, unit)
    if kind is Kind.VARIABLE:
        return _as_tensor(model, node, unit)
    if kind is Kind.METRIC and model.names.of(node.func):
        return _runs(model, node, unit, "update_state")
    is_made = bool(model.names.of(node.func)) or model.value(node.func).kind is Kind.CLASS
    if (kind is Kind.MODEL and is_made) or _is_layer_with_weights(model, node):
        runs = _runs(model, node, unit, "predict")
        is_all = len(runs) >= len(reads_of(model, node, unit))
        return runs if is_all and all(_is_on_values(model, run) for run in runs) else []
    return []


def _as_tensor(model: SemanticModel, node: cst.Call, unit: Unit) -> list[cst.Call]:
    """The calls of models and operations that take a variable, where nothing else is done with it."""
    if model.names.one(node.func) != _VARIABLE:
        return []
    taking: list[cst.Call] = []
    for read in reads_of(model, node, unit):
        given = model.parent(read)
        call = model.parent(given) if isinstance(given, cst.Arg) else None
        if not isinstance(call, cst.Call) or not only_computes(model, call):
            return []
        taking.append(call)
    return taking


def only_computes(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call surely keeps nothing of what it is given: an operation, or a Keras model."""
    names = model.names.of(call.func)
    if names:
        return all(api.is_op(name) for name in names)
    return model.value(call.func).kind is Kind.MODEL


def _is_on_values(model: SemanticModel, run: cst.Call) -> bool:
    """Whether a layer surely runs on values, and builds no model from symbolic tensors."""
    given = [model.value(argument.value).kind for argument in run.args]
    return bool(given) and given[0] in (Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY)


def _runs(model: SemanticModel, node: cst.Call, unit: Unit, method: str) -> list[cst.Call]:
    """The calls of what a call makes, at once or by its name, and of this method of it."""
    parent = model.parent(node)
    if isinstance(parent, cst.Call) and parent.func is node:
        return [parent]
    found: list[cst.Call] = []
    for read in reads_of(model, node, unit):
        used = model.parent(read)
        is_asked = isinstance(used, cst.Attribute) and used.attr.value == method
        call = model.parent(used) if is_asked and used is not None else used
        if isinstance(call, cst.Call) and call.func is (used if is_asked else read):
            found.append(call)
    return found


def _steps_taken(model: SemanticModel, node: cst.Call, unit: Unit) -> list[cst.Call]:
    """Where an optimizer of moments takes a step, by what made it."""
    name = model.names.one(node.func) or ""
    made = name.rpartition(".")[2]
    if not name.startswith(_OPTIMIZERS) or not made[:1].isupper() or made == _PLAIN:
        return []
    return [
        call
        for read in reads_of(model, node, unit)
        if isinstance(holder := model.parent(read), cst.Attribute)
        and holder.attr.value in ("apply_gradients", "minimize")
        and isinstance(call := model.parent(holder), cst.Call)
    ]


def reads_of(model: SemanticModel, node: cst.Call, unit: Unit) -> list[cst.Name]:
    """The reads of the local name that a call's value surely gets, none where they may see another."""
    parent = model.parent(node)
    target = parent.targets[0].target if isinstance(parent, cst.Assign) else None
    if not isinstance(target, cst.Name):
        return []
    bound = [b for b in unit.scope.bindings.get(target.value, ()) if b.node is target]
    reads = model.flow.readers(bound[0]) if bound else []
    is_sure = all(model.flow.reached(read).only is bound[0] for read in reads)
    inner = (r for r in model.flow.reads(unit.scope, target.value) if model.unit(r) is not unit)
    return reads if is_sure and not any(inner) else []


def _makes_at_once(model: SemanticModel, node: cst.Call, name: str) -> bool:
    if name.startswith(_NO_VARIABLES) or not name.startswith(_MAKING_AT_ONCE):
        return False
    kind = model.value(node).kind
    return kind in (Kind.VARIABLE, Kind.OPTIMIZER, Kind.METRIC, Kind.GENERATOR)


def _short(name: str) -> str:
    return f"`tf.{name.removeprefix('tensorflow.')}`"


def _layer_name(model: SemanticModel, node: cst.Call) -> str:
    name = model.names.one(node.func)
    if name is not None:
        return _short(name)
    if is_weight(model, node):
        return f"`{model.code(node.func)}`"
    info = model.value(node.func).class_
    return f"`{info.name}`" if info is not None else "a layer"


def _is_layer_with_weights(model: SemanticModel, node: cst.Call) -> bool:
    name = model.names.one(node.func)
    if name is not None and name.startswith(_LAYERS):
        return name.removeprefix(_LAYERS) in _WITH_WEIGHTS
    function = model.value(node.func)
    info = function.class_
    if function.kind is not Kind.CLASS or info is None or info.has_unknown_base:
        return False
    return info.role in (Kind.LAYER, Kind.MODEL) and _adds_weights(model, info)


def _adds_weights(model: SemanticModel, info: ClassInfo) -> bool:
    """Whether setting up an instance of a class of the module makes variables."""
    for member in info.lineage():
        for name in ("__init__", "build"):
            method = member.methods.get(name)
            if method is None:
                continue
            for node in method.own(cst.Call):
                if _adds_weight(model, node):
                    return True
    return False


def _adds_weight(model: SemanticModel, node: cst.Call) -> bool:
    if isinstance(node.func, cst.Attribute) and node.func.attr.value == "add_weight":
        return True
    name = model.names.one(node.func) or ""
    return name == "tensorflow.Variable" or name.removeprefix(_LAYERS) in _WITH_WEIGHTS


def _is_called(model: SemanticModel, node: cst.Call, unit: Unit) -> bool:
    """Whether the code that makes a layer runs it too, at once or by the name that it gets."""
    if _is_run_at_once(model, node):
        return True
    parent = model.parent(node)
    if not isinstance(parent, cst.Assign) or len(parent.targets) != 1:
        return False
    target = parent.targets[0].target
    if not isinstance(target, cst.Name) or len(unit.scope.lookup(target.value)) != 1:
        return False
    return any(
        isinstance(call := model.parent(read), cst.Call) and call.func is read
        for read in unit.scope.reads.get(target.value, ())
    )


def _is_run_at_once(model: SemanticModel, node: cst.Call) -> bool:
    parent = model.parent(node)
    return isinstance(parent, cst.Call) and parent.func is node
