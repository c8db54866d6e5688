"""Objects that each turn of a loop makes anew: layers, functions, tapes, instances."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.turns import is_rare, runs_steps
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Tracing, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: What tf.function tells apart by identity.
_BY_IDENTITY = frozenset(
    {Kind.MODEL, Kind.LAYER, Kind.MODULE, Kind.OPTIMIZER, Kind.SCHEDULE, Kind.LOSS, Kind.METRIC,
     Kind.INITIALIZER}
)  # fmt: skip
_NO_BASES = behaviour.names(Trait.PLAIN_BASE)
_CONDITIONS = (cst.If, cst.IfExp, cst.BooleanOperation, cst.Try, cst.Match, cst.BaseComp)


@dataclass(frozen=True, slots=True)
class FreshObject:
    """An object made at `node` on every turn of `loop`; `what` says what it is."""

    node: cst.CSTNode
    what: str
    loop: Loop


def fresh_object(model: SemanticModel, node: cst.BaseExpression) -> FreshObject | None:
    """The object that an expression surely names, where a turn of a certain loop makes it.

    The object may be made in a function that a loop calls on each of its turns. One that a
    condition may keep from being made again is left alone.
    """
    made: cst.CSTNode | None = node
    if isinstance(node, cst.Name):
        made = _bound(model, node)
    if made is None:
        return None
    what = _what(model, made)
    loop = repeating_loop(model, made) if what is not None else None
    return FreshObject(made, what, loop) if what is not None and loop is not None else None


def _bound(model: SemanticModel, name: cst.Name) -> cst.CSTNode | None:
    """What makes the object that a name surely stands for, in the function that reads it."""
    binding = model.flow.reached(name).only
    if binding is None or binding.scope is not model.unit(name).scope:
        return None
    if binding.kind is BindingKind.ASSIGNMENT:
        return binding.value
    if binding.kind is BindingKind.FUNCTION:
        return binding.node
    if binding.kind is BindingKind.WITH and model.value(name).kind is Kind.TAPE:
        items = (a for a in model.ancestors(binding.node) if isinstance(a, cst.WithItem))
        return next((item.item for item in items), None)
    return None


def _what(model: SemanticModel, made: cst.CSTNode) -> str | None:
    """What kind of object a node makes each time it is evaluated; None for what may be shared."""
    if isinstance(made, cst.Lambda):
        return "a new function"
    if isinstance(made, cst.FunctionDef):
        return "a new function" if not made.decorators else None
    if not isinstance(made, cst.Call):
        return None
    value = model.value(made)
    if value.kind is Kind.TAPE:
        return "a new tape"
    if not _is_class(model, made) or is_compared_by_value(value):
        return None
    if value.kind is Kind.OBJECT and value.class_ is not None:
        return f"a new `{value.class_.name}`"
    return f"a new {value.kind.value}" if value.kind in _BY_IDENTITY else None


def _is_class(model: SemanticModel, call: cst.Call) -> bool:
    """Whether a call makes an instance: of a class of this module, or of TensorFlow."""
    if model.value(call.func).kind is Kind.CLASS:
        return True
    name = model.names.one(call.func)
    return name is not None and name.rpartition(".")[2][:1].isupper()


def is_compared_by_value(value: Value) -> bool:
    """Whether instances may be equal to one another, or be more than one argument."""
    info = value.class_
    if info is None:
        return False
    own = {"__eq__", "__hash__", "__tf_tracing_type__", "__tf_flatten__", "__new__"}
    if any(own & set(base.methods) for base in info.lineage()):
        return True
    if info.role is Kind.OBJECT and (info.node.decorators or set(info.base_names) - _NO_BASES):
        return True
    return info.has_unknown_base


def repeating_loop(model: SemanticModel, node: cst.CSTNode) -> Loop | None:
    """The innermost loop that evaluates a node, in code that runs eagerly, on each turn."""
    unit = model.unit(node)
    route = model.contexts.eager(unit)
    if route is None or not model.contexts.is_only_eager(unit):
        return None
    loops = [*route.loops, *model.loops.hot_around(node, unit)]
    if (
        not loops
        or not isinstance(loops[-1], (cst.For, cst.While))
        or not model.loops.info(loops[-1]).is_certain
    ):
        return None
    nodes = (node, *route.calls)
    if any(is_rare(model, inner, loop) for loop in loops for inner in nodes):
        return None
    for ancestor in model.ancestors(node):
        if ancestor is loops[-1] or ancestor is unit.node:
            return loops[-1]
        if isinstance(ancestor, _CONDITIONS):
            return None
    return loops[-1]


@dataclass(frozen=True, slots=True)
class FreshInstance:
    """A call of a decorated method of an object that each turn of a loop makes."""

    call: cst.Call
    method: Unit
    tracing: Tracing
    made: FreshObject


def traced_methods(model: SemanticModel) -> Iterator[FreshInstance]:
    """Those that the turn calls once; an object that runs a loop of steps earns its trace."""
    for call in model.nodes(cst.Call) if functions_run_eagerly(model) is None else ():
        callees = model.callees(call)
        unit = callees[0].unit if len(callees) == 1 else None
        if unit is None or unit.tracing is None or not unit.is_method:
            continue
        receiver = _receiver(model, call)
        made = fresh_object(model, receiver) if receiver is not None else None
        if made is None or model.value(made.node).class_ is None:
            continue
        if repeating_loop(model, call) is made.loop and not runs_steps(model, made.loop):
            yield FreshInstance(call, unit, unit.tracing, made)


def _receiver(model: SemanticModel, call: cst.Call) -> cst.Name | None:
    """The object whose method a call runs; one that no name holds is gone before it is traced."""
    holder: cst.BaseExpression | None = None
    if isinstance(call.func, cst.Attribute) and model.value(call.func).kind is Kind.METHOD:
        holder = call.func.value
    elif model.value(call.func).class_ is not None:
        holder = call.func
    return holder if isinstance(holder, cst.Name) else None
