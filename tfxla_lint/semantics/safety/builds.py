"""What the `build` of a layer does when the first call of the layer is part of a trace.

Keras runs it there once. What it computes is a tensor of that trace, which other traces cannot read; what
it draws or assigns happens in the first trace, if at all; and the value of a tensor is not to be had.
Weights that `add_weight` makes are the same: Keras lifts them out of the trace.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.effects.effect import Effect, EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.safety.held_code import code_inside
from tfxla_lint.semantics.safety.unbuilt import is_surely_built
from tfxla_lint.semantics.syntax import is_self, walk
from tfxla_lint.semantics.units import ClassInfo, Unit
from tfxla_lint.semantics.values import LAYERED, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What makes a weight of the layer, and what builds a layer.
_ADDING, _BUILD = "add_weight", "build"
_KERAS = ("tensorflow.keras.layers.", "tensorflow.keras.initializers.")
_INITIALIZER = "initializer"
_PYTHON = "builtins."
#: What holds values that TensorFlow computes, or has yet to compute.
_COMPUTED = frozenset({Kind.TENSOR, Kind.KERAS_TENSOR, Kind.TENSOR_ARRAY})


@dataclass(frozen=True, slots=True)
class Built:
    """A `build` method that the call of a layer may run, and that does something else at a place of it in
    a trace than eagerly."""

    call: cst.CSTNode
    unit: Unit
    place: cst.CSTNode


def built_otherwise(model: Answers, nodes: Sequence[cst.CSTNode]) -> list[Built]:
    """The `build` methods that a trace of the nodes may run, and that may do something else there than
    eagerly, each with the first place for it."""
    odd = model.ask(_odd_builds)
    if not odd:
        return []
    roots = [*nodes, *model.calls.bodies_run_by(nodes)]
    entries: list[tuple[cst.CSTNode, cst.BaseExpression]] = []
    infos: dict[int, ClassInfo] = {}
    for effect in model.ask(Effects).of_all(roots):
        holder = _layer_run(model, effect)
        if holder is not None:
            inside = [*code_inside(model, holder), *effect.units]
            held = (model.value(holder).class_, *(unit.class_ for unit in inside))
            infos.update((id(info), info) for info in held if info is not None)
            if model.unit(effect.node).name != "call":
                entries.append((effect.node, holder))
    found = [odd[id(unit)] for unit in _builds(model, infos.values()) if id(unit) in odd]
    here = {id(node) for root in roots for node in walk(root)} if found else set()
    first = (call for call, holder in entries if not is_surely_built(model, call, holder, here))
    call = next(first, None) if found else None
    return [Built(call, *each) for each in found] if call is not None else []


def _layer_run(model: Answers, effect: Effect) -> cst.BaseExpression | None:
    """The layer or model that an effect runs."""
    if effect.kind not in (EffectKind.RUN, EffectKind.RUN_KERAS):
        return None
    is_call = effect.subject is None and isinstance(effect.node, cst.Call)
    holder = cst.ensure_type(effect.node, cst.Call).func if is_call else effect.subject
    return holder if holder is not None and model.value(holder).kind in LAYERED else None


def _builds(model: Answers, infos: Iterable[ClassInfo]) -> Iterator[Unit]:
    """The `build` methods of classes of layers, of those that these build, and of their bases."""
    pending, seen = [*infos], set[int]()
    while pending:
        unit = pending.pop().method(_BUILD)
        if unit is not None and id(unit) not in seen:
            seen.add(id(unit))
            yield unit
            for holder in _built(unit):
                if _is_super(model, holder):
                    pending += unit.class_.bases if unit.class_ is not None else ()
                else:
                    info = model.value(holder).class_
                    pending += [info] if info is not None else ()


def _odd_builds(model: Answers) -> dict[int, tuple[Unit, cst.CSTNode]]:
    """Those of all classes of layers, by identity."""
    methods = (unit for unit in model.every_unit if unit.name == _BUILD and unit.is_method)
    places = ((unit, next(_places(model, unit), None)) for unit in methods)
    return {id(unit): (unit, place) for unit, place in places if place is not None}


def _places(model: Answers, unit: Unit) -> Iterator[cst.CSTNode]:
    for root in unit.body:
        for node in walk(root):
            if isinstance(node, cst.Call):
                if not _is_plain(model, node):
                    yield node
            elif model.value(node).kind in _COMPUTED and not _is_target(model, node):
                yield node


def _is_target(model: Answers, node: cst.CSTNode) -> bool:
    return isinstance(model.parent(node), (cst.AssignTarget, cst.AnnAssign))


def _built(unit: Unit) -> Iterator[cst.BaseExpression]:
    """The layers that a `build` builds in its turn."""
    for call in unit.own(cst.Call):
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == _BUILD:
            yield call.func.value


def _is_plain(model: Answers, call: cst.Call) -> bool:
    """Whether a call makes a weight, builds a layer, or computes in Python of what is no tensor."""
    func = call.func
    if isinstance(func, cst.Attribute):
        if func.attr.value == _ADDING:
            return is_self(func.value) and all(_is_known(model, a) for a in call.args)
        if func.attr.value == _BUILD:
            holder = model.value(func.value)
            return holder.kind in LAYERED or _is_super(model, func.value)
    names = model.names.of(func)
    return bool(names) and all(name.startswith((_PYTHON, *_KERAS)) for name in names)


def _is_super(model: Answers, node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and model.names.of(node.func) == {"builtins.super"}


def _is_known(model: Answers, argument: cst.Arg) -> bool:
    """Whether an argument of `add_weight` is no code of the project's that makes the first value."""
    keyword = argument.keyword.value if argument.keyword is not None else ""
    return keyword != _INITIALIZER or model.value(argument.value).kind is not Kind.FUNCTION
