"""Gradients that compiled code takes through loops whose number of turns nothing bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.compiled import Compiled, compiled_units
from tfxla_lint.semantics.data_sources import is_compiled_root
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.xla.tensor_loops import UnboundedLoop, unbounded_loops

from .slices import Slice, backward_slice

_TAPES = frozenset({"tensorflow.GradientTape"})
_GRADIENTS = behaviour.methods(Trait.DIFFERENTIATES, "tape")
_STOPPING = "tensorflow.stop_gradient"


@dataclass(frozen=True, slots=True)
class LoopGradient:
    """A loop, and the call that asks a tape for a gradient through it."""

    compiled: Compiled
    loop: UnboundedLoop
    gradient: cst.Call


def loop_gradients(model: SemanticModel) -> Iterator[LoopGradient]:
    """The loops of compiled code through which a tape surely differentiates, each once."""
    for compiled in compiled_units(model):
        for loop in unbounded_loops(model, compiled.unit):
            gradient = _gradient(model, compiled.unit, loop)
            if gradient is not None:
                yield LoopGradient(compiled, loop, gradient)


def _gradient(model: SemanticModel, unit: Unit, loop: UnboundedLoop) -> cst.Call | None:
    for gradient in _taken_around(model, loop.node):
        target, sources = _asked(gradient)
        if target is None or sources is None:
            continue
        result = backward_slice(model, target, unit.scope)
        inside = loop_slice(model, unit, loop)
        if _flows(model, loop, result) and inside.names & _wanted(model, sources):
            return gradient
    return _through_calls(model, unit, loop)


def _through_calls(model: SemanticModel, unit: Unit, loop: UnboundedLoop) -> cst.Call | None:
    """The gradient that a caller takes of what the unit returns."""
    returned = _returned(model, unit)
    if returned is None or not _flows(model, loop, returned):
        return None
    inner = loop_slice(model, unit, loop)
    for edge in model.calls.direct(unit):
        call, caller = cst.ensure_type(edge.node, cst.Call), edge.caller
        if not is_compiled_root(model, unit) and not _is_compiled(model, caller):
            continue
        for gradient in _taken_around(model, call):
            target, sources = _asked(gradient)
            if target is None or sources is None:
                continue
            result = backward_slice(model, target, caller.scope)
            used = set(inner.names)
            for given in call.args:
                used |= backward_slice(model, given.value, caller.scope).names
            if result.holds(call) and not _stops(model, result):
                if used & _wanted(model, sources):
                    return gradient
    return None


def _is_compiled(model: SemanticModel, unit: Unit) -> bool:
    return any(compiled.unit is unit for compiled in compiled_units(model))


def _taken_around(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.Call]:
    """The gradients that its function asks of the tapes that record a node."""
    unit = model.unit(node)
    for statement in model.ancestors(node):
        if isinstance(statement, (cst.FunctionDef, cst.Lambda)):
            return
        if not isinstance(statement, cst.With):
            continue
        names = {name for item in statement.items for name in _tape_name(model, item)}
        for call in unit.nodes(into_scopes=False):
            if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
                continue
            holder = call.func.value
            if isinstance(holder, cst.Name) and holder.value in names:
                if call.func.attr.value in _GRADIENTS:
                    yield call


def _tape_name(model: SemanticModel, item: cst.WithItem) -> list[str]:
    call = item.item
    if not isinstance(call, cst.Call) or model.names.one(call.func) not in _TAPES:
        return []
    name = item.asname.name if item.asname is not None else None
    return [name.value] if isinstance(name, cst.Name) else []


def _asked(
    gradient: cst.Call,
) -> tuple[cst.BaseExpression | None, cst.BaseExpression | None]:
    """The target and the sources of a gradient."""
    sources = argument(gradient, "sources", 1)
    return argument(gradient, "target", 0), sources or argument(gradient, "source", 1)


def _returned(model: SemanticModel, unit: Unit) -> Slice | None:
    """What a function's results are computed from."""
    found = Slice()
    if isinstance(unit.node, cst.Lambda):
        return backward_slice(model, unit.node.body, unit.scope)
    for node in unit.own(cst.Return):
        if node.value is not None:
            part = backward_slice(model, node.value, unit.scope)
            found.names |= part.names
            found.calls += part.calls
    return found


def loop_slice(model: SemanticModel, unit: Unit, loop: UnboundedLoop) -> Slice:
    """What the values that a loop carries are computed from."""
    found = Slice()
    if isinstance(loop.node, cst.Call):
        return backward_slice(model, loop.node, unit.scope)
    for name in loop.carried:
        part = backward_slice(model, cst.Name(name), unit.scope)
        found.names |= part.names
        found.calls += part.calls
    return found


def _flows(model: SemanticModel, loop: UnboundedLoop, result: Slice) -> bool:
    """Whether what a loop carries goes into a result, with nothing to stop gradients."""
    if _stops(model, result):
        return False
    if isinstance(loop.node, cst.Call):
        return result.holds(loop.node)
    return bool(loop.carried & result.names)


def _stops(model: SemanticModel, result: Slice) -> bool:
    return any(model.names.one(call.func) == _STOPPING for call in result.calls)


def _wanted(model: SemanticModel, sources: cst.BaseExpression) -> set[str]:
    """The names with respect to which a gradient is asked; of `model.weights` it is `model`."""
    if isinstance(sources, (cst.List, cst.Tuple)):
        return {name for e in sources.elements for name in _wanted(model, e.value)}
    if isinstance(sources, cst.Name):
        binding = model.flow.reached(sources).only
        made = binding.value if binding is not None else None
        if isinstance(made, (cst.List, cst.Tuple)):
            return _wanted(model, made)
    name = dotted(sources)
    if name is None:
        return set()
    return {name.rpartition(".")[0] if name.endswith(_COLLECTIONS) else name}


_COLLECTIONS = (".trainable_variables", ".trainable_weights", ".variables", ".weights")
