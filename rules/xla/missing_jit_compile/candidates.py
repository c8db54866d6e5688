"""Traced functions that XLA would compile whole, and that run often enough to be worth it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.steps import ENOUGH_OPS
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Tracing
from tfxla_lint.semantics.varying.varying_shapes import varying_shape

from .compilable import compiles_whole

_LOOPING = behaviour.names(Trait.LOOPS)
_OPTIONS = ("jit_compile", "experimental_compile")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A traced function that a loop calls with arguments of fixed shapes.

    `inner` is its own loop on tensors, for which XLA pays off most; `operations` counts what it
    asks of TensorFlow.
    """

    unit: Unit
    tracing: Tracing
    call: cst.Call
    loop: Loop
    inner: cst.CSTNode | None
    operations: int


def candidates(model: SemanticModel) -> Iterator[Candidate]:
    """The functions of a module that `jit_compile=True` would make faster, for all that is known."""
    compiled = {id(found.unit) for found in compiled_units(model)}
    for unit in model.units.all[1:]:
        tracing = unit.tracing
        if tracing is None or id(unit) in compiled or any(map(tracing.option, _OPTIONS)):
            continue
        if not tracing.takes_options:
            continue
        inner = _inner_loop(model, unit)
        operations = model.works.of_unit(unit).total
        if inner is None and operations < ENOUGH_OPS:
            continue
        hot = _hot_call(model, unit)
        if hot is not None and compiles_whole(model, unit):
            yield Candidate(unit, tracing, *hot, inner, operations)


def _inner_loop(model: SemanticModel, unit: Unit) -> cst.CSTNode | None:
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.For) and model.value(node.iter).is_tensor:
            return node
        if isinstance(node, cst.While):
            return node
        if isinstance(node, cst.Call) and model.names.one(node.func) in _LOOPING:
            return node
    return None


def _hot_call(model: SemanticModel, unit: Unit) -> tuple[cst.Call, Loop] | None:
    """A call in a loop of eager code, where no call in a loop passes shapes that may vary."""
    found: tuple[cst.Call, Loop] | None = None
    for edge in model.calls.direct(unit):
        call, caller = cst.ensure_type(edge.node, cst.Call), edge.caller
        if not model.contexts.is_only_eager(caller):
            return None
        around = model.loops.hot_around(call, caller)
        for argument in call.args:
            if argument.star or not _is_static(model, unit, argument.value, around):
                return None
        certain = [loop for loop in around if model.loops.info(loop).is_certain]
        if certain and found is None:
            found = call, certain[-1]
    return found


def _is_static(
    model: SemanticModel, unit: Unit, node: cst.BaseExpression, loops: list[Loop]
) -> bool:
    """Whether an argument surely has one shape, and is no Python number that varies."""
    value = model.value(node)
    if value.loop is not None or varying_shape(model, node, loops) is not None:
        return False
    if value.has_constant or _is_known(value.shape):
        return True
    if not loops:
        return True
    names = [part for part in walk(node) if isinstance(part, cst.Name)]
    return all(_is_steady(model, unit, name, loops) for name in names)


def _is_known(shape: tuple[object, ...] | None) -> bool:
    return shape is not None and all(type(size) is int for size in shape)


def _is_steady(model: SemanticModel, unit: Unit, name: cst.Name, loops: list[Loop]) -> bool:
    """Whether a name keeps its shape: it is bound outside of the loops, to results of the function
    itself, or to batches of one size."""
    if model.names.of(name):
        return True
    bindings = model.flow.reached(name).bindings
    inside = {id(node) for loop in loops for node in walk(loop)}
    for binding in bindings:
        if id(binding.node) not in inside:
            continue
        if binding.kind is BindingKind.FOR:
            if not _gives_equal_batches(model, name):
                return False
        elif not _comes_from(model, unit, binding):
            return False
    return bool(bindings)


def _gives_equal_batches(model: SemanticModel, name: cst.Name) -> bool:
    binding = model.flow.reached(name).only
    for ancestor in model.ancestors(binding.node) if binding is not None else ():
        if isinstance(ancestor, cst.For):
            iterated = model.value(ancestor.iter)
            pipeline = iterated.pipeline
            if iterated.kind is not Kind.DATASET or pipeline is None or pipeline.batch is None:
                return False
            return pipeline.remainder is False and not pipeline.ragged
    return False


def _comes_from(model: SemanticModel, unit: Unit, binding: Binding) -> bool:
    """Whether a name is bound to what the function itself returned: `state = step(state)`."""
    call = model.flow.source(binding)
    return isinstance(call, cst.Call) and any(c.unit is unit for c in model.callees(call))
