"""Traced functions that are made anew on every turn of a loop, or on every call of a function."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop, Turning
from tfxla_lint.semantics.retracing.made_anew import belongs_to_run, serves_each_turn
from tfxla_lint.semantics.safety.blockers import Reason
from tfxla_lint.semantics.safety.lifetimes import makes_variables
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import BindingKind, Scope
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import MethodKind, Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.contexts import Route
    from tfxla_lint.semantics.flow.calls import Edge
    from tfxla_lint.semantics.model import SemanticModel

_CACHES = frozenset({"functools.lru_cache", "functools.cache"})
_DATA = frozenset(
    {Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.STRING, Kind.TENSOR, Kind.NDARRAY, Kind.NUMPY_SCALAR}
)


#: A loop of more turns is no row of experiments, which have an optimizer each.
_MOST_EXPERIMENTS = 50


@dataclass
class MadeFunction:
    """A `tf.function` made at `node` (a decorated `def`, or a call of `tf.function`) in `unit`.

    `loop` makes it anew on its turns, through `calls` where it stands in a function of its own.
    `captured` are the numbers and tensors of the turn that it closes over, `optimizers` those that the
    turn makes for it.
    """

    node: cst.FunctionDef | cst.Call
    unit: Unit
    loop: Turning
    calls: tuple[cst.CSTNode, ...] = ()
    captured: list[str] = field(default_factory=list)
    optimizers: list[str] = field(default_factory=list)
    reads: list[cst.Name] = field(default_factory=list)


Made = cst.FunctionDef | cst.Call


def made_functions(model: SemanticModel) -> Iterator[MadeFunction]:
    """Those that could as well be made once."""
    contexts = model.contexts
    for node in _creations(model) if functions_run_eagerly(model) is None else ():
        unit = model.unit(node)
        route = contexts.eager(unit)
        if route is None or not contexts.is_only_eager(unit) or _is_cached(model, node, unit):
            continue
        lexical = tuple(model.loops.hot_around(node, unit))
        loops = (*route.loops, *lexical)
        certain = [loop for loop in loops if model.loops.info(loop).is_certain]
        if not certain or not _is_used(model, node, unit, route):
            continue
        if _has_own_objects(model, node, unit, lexical):
            continue
        made = MadeFunction(node, unit, certain[-1], () if lexical else route.calls)
        if not lexical and certain[-1] is not route.loops[-1]:
            continue
        made.reads = list(free_reads(model, node))
        varying = {
            read.value: model.value(read) for read in made.reads if _varies(model, made, read)
        }
        optimizers = {name for name, value in varying.items() if value.kind is Kind.OPTIMIZER}
        if optimizers and not _is_many(model, made.loop):
            continue
        is_data = all(varying[name].kind in _DATA for name in varying.keys() - optimizers)
        # Asked last: it judges all that the function runs.
        if is_data and not _has_own_state(model, node, made.loop):
            made.captured, made.optimizers = sorted(varying.keys() - optimizers), sorted(optimizers)
            yield made


def _is_many(model: SemanticModel, loop: Turning) -> bool:
    """Whether a loop takes the steps of one training, however its turns are made up."""
    turns = model.loops.info(loop).turns
    return isinstance(loop, cst.While) if turns is None else turns > _MOST_EXPERIMENTS


def _creations(model: SemanticModel) -> Iterator[Made]:
    for unit in model.units.all:
        if unit.tracing is not None and isinstance(unit.node, cst.FunctionDef):
            if unit.class_ is None:
                yield unit.node
    for call in model.nodes(cst.Call):
        is_wrapper = "tensorflow.function" in model.names.of(call.func)
        if is_wrapper and model.value(call).kind is Kind.TRACED:
            yield call


def _is_cached(model: SemanticModel, node: cst.CSTNode, unit: Unit) -> bool:
    """Whether a condition or a cache may keep a run of the unit from making it."""
    if unit.method is MethodKind.PROPERTY or unit.is_generator:
        return True
    if isinstance(unit.node, cst.FunctionDef):
        heads = (d.decorator for d in unit.node.decorators)
        heads = (h.func if isinstance(h, cst.Call) else h for h in heads)
        if any(model.names.of(head) & _CACHES for head in heads):
            return True
    for ancestor in model.ancestors(node):
        if ancestor is unit.node:
            break
        if isinstance(ancestor, (cst.If, cst.IfExp, cst.BooleanOperation, cst.ExceptHandler)):
            return True
    return False


def _is_used(model: SemanticModel, node: Made, unit: Unit, route: Route) -> bool:
    """Whether the code that makes it calls it, or returns it to code that does."""
    if _is_called(model, node, unit):
        return True
    call = route.calls[-1] if route.calls else None
    if not isinstance(call, cst.Call) or not _is_returned(node, unit):
        return False
    return _is_called(model, call, model.unit(call))


def _has_own_objects(model: SemanticModel, node: Made, unit: Unit, loops: Sequence[Loop]) -> bool:
    """Whether each function made is called with a model or optimizer made for it.

    One function would make variables for the second of them too late.
    """
    given = [
        argument.value
        for read in unit.scope.reads.get(_name_of(model, node) or "", ())
        if isinstance(call := model.parent(read), cst.Call) and call.func is read
        for argument in call.args
        if makes_variables(model.value(argument.value))
    ]
    if loops:
        names = [value for value in given if isinstance(value, cst.Name)]
        return serves_each_turn(model, unit, loops, names)
    return any(belongs_to_run(model, unit, value) for value in given)


def _has_own_state(model: SemanticModel, node: Made, loop: Turning) -> bool:
    """Whether turns of the loop set what the function reads while it is traced, and no argument can
    bring: one function would keep what the first of them set."""
    unit = traced_unit(model, node)
    if unit is None:
        return False
    blockers = model.ask(Safety).unit_blockers(unit, loop)
    return any(
        blocker.reason is Reason.CHANGING_STATE and not isinstance(blocker.read, cst.Name)
        for blocker in blockers
    )


def traced_unit(model: SemanticModel, node: Made) -> Unit | None:
    """The function that is traced, where it is known."""
    if isinstance(node, cst.FunctionDef):
        return model.units.of(node)
    return model.value(node.args[0].value).unit if node.args else None


def _is_returned(node: Made, unit: Unit) -> bool:
    for inner in walk(unit.node, into_scopes=False):
        if isinstance(inner, cst.Return) and inner.value is not None:
            if inner.value is node:
                return True
            if isinstance(node, cst.FunctionDef) and isinstance(inner.value, cst.Name):
                return inner.value.value == node.name.value
    return False


def _is_called(model: SemanticModel, node: Made, unit: Unit) -> bool:
    """Whether the code that makes it calls it by its name, or at once."""
    parent = model.parent(node)
    if isinstance(parent, cst.Call) and parent.func is node:
        return True
    name = _name_of(model, node)
    return name is not None and _calls_name(model, name, unit)


def _name_of(model: SemanticModel, node: Made) -> str | None:
    """The name under which the function that is made is called."""
    if isinstance(node, cst.FunctionDef):
        return node.name.value
    parent = model.parent(node)
    target = parent.targets[0].target if isinstance(parent, cst.Assign) else None
    is_plain = isinstance(parent, cst.Assign) and len(parent.targets) == 1
    return target.value if is_plain and isinstance(target, cst.Name) else None


def _calls_name(model: SemanticModel, name: str, unit: Unit) -> bool:
    reads = unit.scope.reads.get(name, ())
    return any(
        isinstance(parent := model.parent(read), cst.Call) and parent.func is read for read in reads
    )


def free_reads(model: SemanticModel, node: Made) -> Iterator[cst.Name]:
    """The names from outside that the function reads, also in the functions that it calls."""
    seen: set[int] = set()
    pending: list[cst.CSTNode] = [node]
    while pending:
        root = pending.pop()
        if id(root) in seen:
            continue
        seen.add(id(root))
        inside = {id(inner) for inner in walk(root)}
        for name in walk(root):
            if not isinstance(name, cst.Name) or not _is_read(model, name):
                continue
            home = model.binder.scope(name).home(name.value)
            if home is None or id(home.node) in inside:
                continue
            unit = model.value(name).unit
            if unit is not None and unit.class_ is None and not unit.is_module:
                pending.append(unit.node)
                if home.kind.value == "module" and len(home.bindings[name.value]) == 1:
                    continue
            yield name


def _is_read(model: SemanticModel, name: cst.Name) -> bool:
    return any(read is name for read in model.binder.scope(name).reads.get(name.value, ()))


def _varies(model: SemanticModel, made: MadeFunction, read: cst.Name) -> bool:
    own = made.node.name.value if isinstance(made.node, cst.FunctionDef) else None
    home = model.binder.scope(read).home(read.value)
    if home is None or (read.value == own and home is made.unit.scope):
        return False
    return _varies_in(model, made, read.value, home, made.calls)


def _varies_in(
    model: SemanticModel,
    made: MadeFunction,
    name: str,
    home: Scope,
    calls: tuple[cst.CSTNode, ...],
) -> bool:
    """Whether turns of the loop give other meanings to a name of `home`."""
    bindings = home.bindings[name]
    inside = {id(node) for node in walk(made.loop)}
    if any(id(binding.node) in inside for binding in bindings):
        return True
    owner = model.unit_of_scope(home)
    if owner.is_module or not calls or owner is model.unit(made.loop):
        return len({id(model.unit(b.node)) for b in bindings}) > 1
    if len(bindings) != 1 or bindings[0].kind is not BindingKind.PARAMETER:
        return True
    edge = _edge(model, owner, calls)
    if edge is None:
        return True
    given = edge.argument(name)
    if given is None:
        parameter = owner.parameter(name)
        return parameter is None or parameter.node.default is None
    return _expression_varies(model, made, given, calls[: calls.index(edge.node)])


def _edge(model: SemanticModel, unit: Unit, calls: Iterable[cst.CSTNode]) -> Edge | None:
    edges = model.calls.untraced(unit)
    return next((edge for edge in edges for call in calls if edge.node is call), None)


def _expression_varies(
    model: SemanticModel,
    made: MadeFunction,
    node: cst.BaseExpression,
    calls: tuple[cst.CSTNode, ...],
) -> bool:
    for inner in walk(node):
        if isinstance(inner, cst.Call):
            return True
        if isinstance(inner, cst.Name) and _is_read(model, inner):
            home = model.binder.scope(inner).home(inner.value)
            if home is not None and _varies_in(model, made, inner.value, home, calls):
                return True
    return False
