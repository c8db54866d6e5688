"""Python state that traced code reads once, while the program goes on changing it.

Proof that a call comes after a change: a loop of untraced code runs both, or the change stands
between two equal calls.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.contexts import Route
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import SETTING_UP, is_excused
from tfxla_lint.semantics.frequency import Often
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import NUMBERS, Kind

_REBOUND = NUMBERS | {Kind.STRING, Kind.TENSOR, Kind.NDARRAY, Kind.TUPLE}
_NUMBERS = NUMBERS | {Kind.NUMPY_SCALAR}
_CONTAINERS = frozenset({Kind.LIST, Kind.DICT, Kind.NDARRAY})
_GROWING = behaviour.methods(Effect.MUTATES)
_BINDING = frozenset({BindingKind.ASSIGNMENT, BindingKind.AUGMENTED, BindingKind.FOR})
_ASSIGNING = (cst.Assign, cst.AugAssign, cst.AnnAssign)


@dataclass(frozen=True, slots=True)
class StaleRead:
    """A read that keeps its first value, what it reads, a later change, and a call after it."""

    node: cst.Name | cst.Attribute
    text: str
    change: cst.CSTNode
    call: cst.CSTNode


def stale_reads(model: SemanticModel, unit: Unit, route: Route) -> Iterator[StaleRead]:
    """The first stale read of each name and attribute in a traced unit's own code."""
    root = _root(model, unit, route)
    if root is None:
        return
    reads = [n for n in unit.own(cst.Name, cst.Attribute) if _may_be_outer(model, unit, n)]
    calls = _runs(model, root) if reads else []
    seen: set[str] = set()
    for node in reads if calls else ():
        text = model.code(node)
        if text not in seen:
            found = _judge(model, root, route, node, text, calls)
            if found is not None:
                seen.add(text)
                yield found


def _may_be_outer(model: SemanticModel, unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a node names something that lives outside of its function and may be Python's."""
    if isinstance(node, cst.Name):
        home = model.binder.scope(node).home(node.value)
        return home is not None and home is not unit.scope and _is_state(model, node)
    if isinstance(node, cst.Attribute) and model.value(node.value).class_ is not None:
        return _is_state(model, node) or model.value(node).kind is Kind.UNKNOWN
    return False


def _is_state(model: SemanticModel, node: cst.CSTNode) -> bool:
    return model.value(node).kind in _REBOUND | _CONTAINERS


def _root(model: SemanticModel, unit: Unit, route: Route) -> Unit | None:
    """The unit that `tf.function` traces on a route."""
    if route.tracing is None:
        return None
    return model.unit(route.calls[0]) if route.calls else unit


def _runs(model: SemanticModel, unit: Unit) -> list[cst.CSTNode]:
    """The calls in untraced code that run a unit, directly or through untraced functions."""
    found: list[cst.CSTNode] = []
    pending, seen = [unit], {id(unit)}
    while pending:
        wanted = pending.pop()
        for edge in model.calls.direct(wanted):
            caller = edge.caller
            if model.contexts.traced(caller) is not None:
                continue
            found.append(edge.node)
            if id(caller) not in seen and not caller.is_module:
                seen.add(id(caller))
                pending.append(caller)
    return found


def _judge(
    model: SemanticModel,
    root: Unit,
    route: Route,
    node: cst.Name | cst.Attribute,
    text: str,
    calls: list[cst.CSTNode],
) -> StaleRead | None:
    changes = _name_changes(model, node) if isinstance(node, cst.Name) else ()
    if isinstance(node, cst.Attribute):
        changes = _attribute_changes(model, node)
    for change in changes:
        again = _called_after(model, root, route, change, calls)
        if again is None or _is_step_of_summary(model, node):
            continue
        if _is_wrapped_anew(model, route, change):
            continue
        if not is_excused(model, EffectKind.READ_NAME, node):
            return StaleRead(node, text, change, again)
    return None


def _is_wrapped_anew(model: SemanticModel, route: Route, change: cst.CSTNode) -> bool:
    """Whether what makes the change also runs the call that wraps the function, or something that
    does: what is traced then reads the new value."""
    if not isinstance(route.root, cst.Call):
        return False
    maker = model.unit(route.root)
    return not maker.is_module and maker in model.calls.below(model.unit(change))


def _is_step_of_summary(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a summary is given the value, of which another rule speaks."""
    for parent in model.ancestors(node):
        if isinstance(parent, cst.BaseStatement):
            return False
        if isinstance(parent, cst.Call):
            if (model.names.one(parent.func) or "").startswith("tensorflow.summary."):
                return True
    return False


# Changes


def _name_changes(model: SemanticModel, node: cst.Name) -> Iterator[cst.CSTNode]:
    """Where untraced code rebinds an outer name, or changes the container that it holds."""
    scope = model.binder.scope(node)
    if not any(read is node for read in scope.reads.get(node.value, ())):
        return
    home = scope.home(node.value)
    if home is None or model.contexts.traced(model.unit_of_scope(home)) is not None:
        return
    if home is model.unit(node).scope:
        return
    kind = model.value(node).kind
    bindings = home.bindings[node.value]
    if kind in _REBOUND and all(b.kind in _BINDING for b in bindings):
        for binding in bindings:
            if _is_untraced(model, binding.node):
                yield binding.node
        for write in model.flow.attributes.writes(node.value):
            member = model.names.member(write.target)
            if member is not None and member.scope is home and _is_untraced(model, write.target):
                yield write.target
    if kind in _CONTAINERS and not _is_only_handed_on(model, node):
        for place in _mutations(model):
            if place.value == node.value and model.binder.scope(place).home(node.value) is home:
                if _is_untraced(model, place):
                    yield place


def _is_only_handed_on(model: SemanticModel, node: cst.Name) -> bool:
    """Whether a read just names the container for a call, which may take what it holds later."""
    return isinstance(model.parent(node), (cst.AssignTarget, cst.Del))


def _mutations(model: SemanticModel) -> Iterator[cst.Name]:
    """The names whose containers are changed in place."""
    for call in model.nodes(cst.Call):
        func = call.func
        if isinstance(func, cst.Attribute) and func.attr.value in _GROWING:
            if isinstance(func.value, cst.Name):
                yield func.value
    for target in model.nodes(cst.AssignTarget):
        if isinstance(target.target, cst.Subscript) and isinstance(target.target.value, cst.Name):
            yield target.target.value
    for augmented in model.nodes(cst.AugAssign):
        held = augmented.target
        if isinstance(held, cst.Subscript) and isinstance(held.value, cst.Name):
            yield held.value


def _attribute_changes(model: SemanticModel, node: cst.Attribute) -> Iterator[cst.CSTNode]:
    """Where untraced code sets the same attribute of an object of the same class."""
    info = model.value(node.value).class_
    is_known = _is_state(model, node)
    if info is None or info.has_unknown_base or model.value(node).kind in _CONTAINERS - _REBOUND:
        return
    if isinstance(model.parent(node), (cst.AssignTarget, cst.AugAssign, cst.Del)):
        return
    if info.method(node.attr.value) is not None:
        return
    for write in model.flow.attributes.written(info, node.attr.value):
        target = write.target
        if not isinstance(write.statement, _ASSIGNING) or model.value(target.value).class_ is None:
            continue
        if not is_known and not _is_number(model, write.value):
            continue
        if model.unit(target).name not in SETTING_UP and _is_untraced(model, target):
            yield target


def _is_number(model: SemanticModel, value: cst.CSTNode | None) -> bool:
    """Whether a value is a number, or computed with one."""
    if isinstance(value, cst.BinaryOperation):
        return _is_number(model, value.left) or _is_number(model, value.right)
    return value is not None and model.value(value).kind in _NUMBERS


def _is_untraced(model: SemanticModel, node: cst.CSTNode) -> bool:
    unit = model.unit(node)
    return model.contexts.traced(unit) is None and model.contexts.eager(unit) is not None


# Order


def _called_after(
    model: SemanticModel, root: Unit, route: Route, change: cst.CSTNode, calls: list[cst.CSTNode]
) -> cst.CSTNode | None:
    """A call that surely may come after the change, and another before it."""
    if _is_first_value(model, change):
        return None
    places = (
        [change, *_runs(model, model.unit(change))] if _has_callers(model, change) else [change]
    )
    for place in places:
        for call in calls:
            if model.unit(call) is not model.unit(place):
                continue
            for loop in _loops_around(model, place):
                if _is_in(model, call, loop) and _outlives(model, root, route, loop):
                    return call
    found = _between(model, change, calls)
    if found is not None or not _sets_always(model, change):
        return found
    later = (_between(model, place, _of_same(model, place, calls)) for place in places[1:])
    return next(filter(None, later), None)


def _sets_always(model: SemanticModel, change: cst.CSTNode) -> bool:
    """Whether a method gives an attribute of its object another value whenever it is called."""
    unit, holder = model.unit(change), model.parent(change)
    statement = model.parent(holder) if isinstance(holder, cst.AssignTarget) else None
    if not isinstance(statement, cst.Assign) or unit.method is not MethodKind.INSTANCE:
        return False
    given = {parameter.name for parameter in unit.parameters[1:]}
    is_given = isinstance(statement.value, cst.Name) and statement.value.value in given
    return is_given and model.loops.often(statement, unit.node) is Often.ALWAYS


def _of_same(
    model: SemanticModel, place: cst.CSTNode, calls: list[cst.CSTNode]
) -> list[cst.CSTNode]:
    """The calls of methods of the object that a call of a method is made on."""
    if not isinstance(place, cst.Call) or not isinstance(place.func, cst.Attribute):
        return []
    holder = model.code(place.func.value)
    return [
        call
        for call in calls
        if isinstance(call, cst.Call)
        and holder in (model.code(call.func), *_holders(model, call.func))
    ]


def _holders(model: SemanticModel, function: cst.BaseExpression) -> list[str]:
    return [model.code(function.value)] if isinstance(function, cst.Attribute) else []


def _loops_around(model: SemanticModel, node: cst.CSTNode) -> list[Loop]:
    """The loops whose turns run a node, also as what they assign to their target."""
    found = model.loops.around(node, model.unit(node))
    child, parent = node, model.parent(node)
    while parent is not None and not isinstance(parent, cst.BaseCompoundStatement):
        child, parent = parent, model.parent(parent)
    if isinstance(parent, cst.For) and child is parent.target:
        found.append(parent)
    return found


def _has_callers(model: SemanticModel, node: cst.CSTNode) -> bool:
    return not model.unit(node).is_module


def _is_first_value(model: SemanticModel, change: cst.CSTNode) -> bool:
    """Whether an assignment writes out the one value that every assignment of its name does."""
    own = _literal(model, change)
    if own is None or not isinstance(change, cst.Name):
        return False
    bindings = model.binder.scope(change).lookup(change.value)
    return all(_literal(model, binding.node) == own for binding in bindings)


def _literal(model: SemanticModel, change: cst.CSTNode) -> str | None:
    """The number, string or word that an assignment writes out."""
    holder = model.parent(change)
    statement = model.parent(holder) if isinstance(holder, cst.AssignTarget) else None
    if not isinstance(statement, cst.Assign):
        return None
    value = statement.value
    is_word = isinstance(value, cst.Name) and value.value in ("True", "False", "None")
    if is_word or isinstance(value, (cst.BaseNumber, cst.SimpleString)):
        return model.code(value)
    return None


def _is_in(model: SemanticModel, node: cst.CSTNode, loop: Loop) -> bool:
    return any(around is loop for around in model.loops.around(node, model.unit(node)))


def _outlives(model: SemanticModel, root: Unit, route: Route, loop: Loop) -> bool:
    """Whether the trace outlives the turns of a loop: nothing of it is made anew in there."""
    inside = {id(node) for node in walk(loop)}
    if id(root.node) in inside or _is_wrapped_in(model, route, loop):
        return False
    maker = root.parent
    if maker is not None and not maker.is_module and model.unit(loop) is not maker:
        return False
    if root.class_ is None:
        return True
    return not any(
        isinstance(node, cst.Call) and model.value(node.func).class_ is root.class_
        for node in walk(loop)
    )


def _is_wrapped_in(model: SemanticModel, route: Route, loop: Loop) -> bool:
    """Whether each turn of a loop wraps the function once more: no test decides that."""
    if not isinstance(route.root, cst.Call):
        return False
    for around in model.ancestors(route.root):
        if around is loop:
            return True
        if isinstance(around, (cst.If, cst.IfExp, cst.BooleanOperation, cst.FunctionDef)):
            return False
    return False


def _between(
    model: SemanticModel, change: cst.CSTNode, calls: list[cst.CSTNode]
) -> cst.CSTNode | None:
    """The later of two calls of the module's body, which one trace serves, between which the change
    stands."""
    home = model.unit(change)
    if not home.is_module or _is_nested(model, change):
        return None
    place = model.span(change).start
    before: set[object] = set()
    for call in sorted(calls, key=lambda call: model.span(call).start):
        if model.unit(call) is not home or _is_nested(model, call):
            continue
        trace = _trace(model, call)
        if model.span(call).start < place:
            before.add(trace)
        elif trace in before:
            return call
    return None


def _trace(model: SemanticModel, call: cst.CSTNode) -> object:
    """What is equal of calls that one trace serves: of a tensor its dtype and shape, of all else what the
    code says."""
    if not isinstance(call, cst.Call):
        return model.code(call)
    return model.code(call.func), *(_told_apart(model, given) for given in call.args)


def _told_apart(model: SemanticModel, given: cst.Arg) -> object:
    value = model.value(given.value)
    sizes = value.shape if value.shape is not None else (None,)
    is_known = value.dtype is not None and all(type(size) is int for size in sizes)
    if value.kind is not Kind.TENSOR or value.mixed or value.by_use or not is_known:
        return model.code(given)
    return given.keyword and given.keyword.value, value.dtype, value.shape


def _is_nested(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a node stands in a block of the module's body, not in the body itself."""
    return any(isinstance(parent, cst.IndentedBlock) for parent in model.ancestors(node))
