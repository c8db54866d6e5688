"""What the first call of a model makes of it.

It makes the variables: eager code that reads them before finds none on its first run, and a trace finds
them, for what makes variables is traced once more. And it settles the shapes that the model has from
then on, in its summary and in files: those of the first call, or those that a signature declares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.caught import catches
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import LAYERED, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What Keras objects have no shapes that a call settles.
_UNSHAPED = frozenset({Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE})
_VARIABLES = frozenset(
    name for name, row in behaviour.results("@keras").items() if row.of == "variable"
)
_SEQUENTIAL = "tensorflow.keras.Sequential"
_WITH_WEIGHTS = behaviour.names(Trait.WITH_WEIGHTS)
_BUILDING = behaviour.methods(Trait.BUILDS, "model") | behaviour.methods(Trait.KERAS_LOOP, "model")
#: How the arguments begin that tell a layer of its input when it is made.
_SHAPED = ("input", "batch_")


def finds_none(model: Answers, node: cst.Attribute) -> bool:
    """Whether an attribute lists the variables of a model that surely is not built when the
    function first reads it, and is afterwards."""
    if node.attr.value not in _VARIABLES or model.value(node.value).kind not in LAYERED:
        return False
    made = _made(model, node.value)
    if not made or not all(_is_unbuilt(model, each) for each in made):
        return False
    return not _follows_call(model, node) and not _is_built_before(model, node, made)


def builds_inside(model: Answers, nodes: Sequence[cst.CSTNode]) -> bool:
    """Whether the first call of a model or layer may be one that the nodes, or what they run, make."""
    called = [*model.calls.bodies_run_by(nodes)]
    inside = {id(node) for root in (*nodes, *called) for node in walk(root)}
    return any(
        effect.kind is EffectKind.RUN_KERAS
        and not is_surely_built(model, effect.node, effect.subject, inside)
        for effect in model.ask(Effects).of_all([*nodes, *called])
    )


def fails_for_good(
    model: Answers, nodes: Sequence[cst.CSTNode], place: cst.CSTNode
) -> Blocker | None:
    """That a `try` in a loop around a place goes on where the nodes, run there, could not build a model.

    What a `tf.function` gives after a first call that failed to make its variables is None.
    """
    unit = model.unit(place)
    inner = place
    for ancestor in model.ancestors(place):
        if ancestor is unit.node:
            break
        is_try = isinstance(ancestor, (cst.Try, cst.TryStar))
        if is_try and catches(model, ancestor, inner) and model.loops.around(ancestor, unit):
            words = "is gone on from where its first call fails, after which a trace gives None"
            caught = Blocker(Reason.CREATION, ancestor, words)
            return caught if builds_inside(model, nodes) else None
        inner = ancestor
    return None


def is_built_apart(model: Answers, unit: Unit) -> bool:
    """Whether Keras 3 runs a `call` on its own first, to build the layers that it calls.

    A `tf.function` is traced by that run and keeps the trace, in which their weights are constants:
    no gradient leads to them, and nothing that is assigned to them is seen.
    """
    info = unit.class_
    if unit.name != "call" or info is None or info.role not in LAYERED:
        return False
    if not model.world.runs_keras_3(unit.node, info) or info.method("build") is not None:
        return False
    units = [unit, *model.calls.run_by(unit.body)]
    built = (_built_by(model, call) for each in units for call in each.own(cst.Call))
    held = [holder for holder in built if holder is not None]
    return any(_is_unbuilt(model, made) for holder in held for made in _made(model, holder))


def is_surely_built(
    model: Answers, place: cst.CSTNode, holder: cst.BaseExpression | None, inside: set[int]
) -> bool:
    """Whether an object of Keras that runs at a place needs no building, or is built before that, and
    not `inside`."""
    if holder is not None and model.value(holder).kind in _UNSHAPED:
        return True
    made = _made(model, holder) if holder is not None else ()
    if made and all(_is_built(model, each) for each in made):
        return True
    same = {id(each) for each in made}
    return len(same) == 1 and any(
        id(call) not in inside and model.flow.always_before(call, place)
        for call in model.ask(_builders, model.unit(place)).get(same.pop(), ())
    )


def _builders(model: Answers, unit: Unit) -> dict[int, list[cst.Call]]:
    """The calls in a function that give a model or layer its variables, by the one expression that
    makes it."""
    found: dict[int, list[cst.Call]] = {}
    for call in model.ask(_running, unit):
        built = _built_by(model, call)
        made = {id(each) for each in _made(model, built)} if built is not None else set()
        if len(made) == 1:
            found.setdefault(made.pop(), []).append(call)
    return found


def _is_built(model: Answers, made: cst.BaseExpression) -> bool:
    """Whether an expression makes a model that knows its input."""
    name = model.names.one(made.func) if isinstance(made, cst.Call) else None
    if name is None or not isinstance(made, cst.Call):
        return False
    if name == _SEQUENTIAL:
        given = made.args[0].value if made.args else None
        first = given.elements[0].value if isinstance(given, cst.List) and given.elements else None
        return isinstance(first, cst.Call) and _knows_input(model, first)
    if behaviour.of(name).result == "model":
        # A functional model; what else makes one by name may read it from anywhere.
        return behaviour.holds(Trait.BASE, name) and len(made.args) > 1
    return behaviour.home(name).result == "model"


def _knows_input(model: Answers, layer: cst.Call) -> bool:
    return model.value(layer).kind is Kind.KERAS_TENSOR or _tells_input(layer)


def _tells_input(made: cst.Call) -> bool:
    """Whether what makes a layer says of which shape its input is."""
    return any(a.keyword is not None and a.keyword.value.startswith(_SHAPED) for a in made.args)


def _made(model: Answers, holder: cst.BaseExpression) -> Sequence[cst.BaseExpression]:
    """The expressions that make an object; of `self`, all that make one of its class."""
    info = model.value(holder).class_
    if not is_self(holder) or info is None:
        return makers(model.flow, holder)
    return [call for call in model.everywhere(cst.Call) if _makes(model, call, info)]


def _makes(model: Answers, call: cst.Call, info: ClassInfo) -> bool:
    function = model.value(call.func)
    made = function.class_ if function.kind is Kind.CLASS else None
    return made is not None and info in made.lineage()


def _is_unbuilt(model: Answers, made: cst.BaseExpression) -> bool:
    """Whether an expression makes a model or layer that has no variables until it is called."""
    if not isinstance(made, cst.Call) or _tells_input(made):
        return False
    name = model.names.one(made.func)
    if name == _SEQUENTIAL:
        given = made.args[0].value if len(made.args) == 1 else None
        layers = given.elements if isinstance(given, cst.List) else ()
        return bool(layers) and _is_unbuilt(model, layers[0].value)
    if name is not None:
        return name in _WITH_WEIGHTS
    function = model.value(made.func)
    info = function.class_ if function.kind is Kind.CLASS else None
    return info is not None and not info.has_unknown_base and model.ask(_is_lazy, info)


def _is_lazy(model: Answers, info: ClassInfo) -> bool:
    """Whether what the constructor of a class makes are layers that have no variables yet."""
    init = info.method("__init__")
    if init is None or any(_builds(model, call) for call in init.own(cst.Call)):
        return False
    return any(
        _is_unbuilt(model, statement.value)
        for statement in init.own(cst.Assign)
        if any(isinstance(target.target, cst.Attribute) for target in statement.targets)
    )


def _builds(model: Answers, call: cst.Call) -> bool:
    """Whether a call in a constructor builds the object: itself, a layer, or by `super`."""
    function = call.func
    if model.value(function).kind in LAYERED:
        return True
    if not isinstance(function, cst.Attribute):
        return False
    is_functional = function.attr.value == "__init__" and any(
        a.keyword is None or a.keyword.value in ("inputs", "outputs") for a in call.args
    )
    return function.attr.value in _BUILDING or is_functional


def _follows_call(model: Answers, node: cst.CSTNode) -> bool:
    """Whether the function calls a model, whichever, before it gets to a node; a loop counts as one
    that turns."""
    around = {id(n) for n in (node, *model.ancestors(node))}
    for call in model.ask(_running, model.unit(node)):
        if id(call) not in around:
            loops = (n for n in model.ancestors(call) if isinstance(n, (cst.For, cst.While)))
            outside = (loop for loop in loops if id(loop) not in around)
            if any(model.flow.always_before(n, node) for n in (call, *outside)):
                return True
    return False


def _running(model: Answers, unit: Unit) -> list[cst.Call]:
    """The calls in a function that are some of a model or layer, or lead to one."""
    return [call for call in unit.own(cst.Call) if _runs(model, call)]


def _runs(model: Answers, call: cst.Call) -> bool:
    """Whether a call is one of a model or layer, or leads to one."""
    if _built_by(model, call) is not None:
        return True
    inner = model.calls.run_by([call])
    return any(_built_by(model, c) is not None for unit in inner for c in unit.own(cst.Call))


def _built_by(model: Answers, call: cst.Call) -> cst.BaseExpression | None:
    """The model or layer that a call gives its variables, where it is one that does."""
    if model.value(call.func).kind in LAYERED:
        return call.func
    function = call.func
    if isinstance(function, cst.Attribute) and function.attr.value in _BUILDING:
        return function.value if model.value(function.value).kind in LAYERED else None
    return None


def _is_built_before(
    model: Answers, node: cst.Attribute, made: Sequence[cst.BaseExpression]
) -> bool:
    """Whether one of these objects is called or built before what leads to a node."""
    later, name = [*_places(model, node)], _lasting_name(model, node.value)
    same = {id(each) for each in made}
    for call in model.everywhere(cst.Call):
        holder = _built_by(model, call)
        if holder is None or model.unit(call) is model.unit(node):
            continue
        other = _lasting_name(model, holder)
        if (not name or not other or name == other) and same & {
            id(each) for each in _made(model, holder)
        }:
            if any(_precedes(model, e, c) for e in _places(model, call) for c in later):
                return True
    return False


def _lasting_name(model: Answers, holder: cst.BaseExpression) -> str:
    """The name of the attribute or global that holds an object: one of another name may be another
    object that is made at the same place."""
    if isinstance(holder, cst.Attribute):
        return holder.attr.value
    if not isinstance(holder, cst.Name) or is_self(holder):
        return ""
    home = model.binder.scope(holder).home(holder.value)
    return holder.value if home is not None and model.unit_of_scope(home).is_module else ""


def _places(model: Answers, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """A node, and the calls that lead to it."""
    yield node
    yield from (edge.node for edge in model.calls.leading_to(model.unit(node)))


def _precedes(model: Answers, first: cst.CSTNode, then: cst.CSTNode) -> bool:
    return first is not then and model.flow.always_before(first, then)
