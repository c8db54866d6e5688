"""Python values that a trace computes once and keeps: the time, random numbers, fresh names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import is_excused, is_set_up
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import repeating
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES

from .seeds import is_seeded_anew

_CLOCKS = behaviour.names(Effect.CLOCK)
_FRESH = behaviour.names(Effect.FRESH)
_PYTHON_DRAWS = behaviour.leaves("random", Effect.DRAWS_IN_PYTHON)
_NUMPY_DRAWS = behaviour.leaves("numpy.random", Effect.DRAWS_IN_PYTHON)
_GENERATORS = frozenset({"numpy.random.RandomState", "numpy.random.default_rng"})
#: What is given by these keywords, or kept under such names, is meant to be one per trace.
_ONCE_PER_TRACE = ("seed", "name")


@dataclass(frozen=True, slots=True)
class FrozenValue:
    """A call whose value the trace keeps; `kind` is "time", "random" or "fresh"."""

    node: cst.Call
    name: str
    kind: str


def frozen_values(model: SemanticModel, unit: Unit) -> Iterator[FrozenValue]:
    """The calls of a traced unit's own code that give another value each time in Python."""
    if is_set_up(model, unit, EffectKind.DRAW):
        return
    for node in unit.own(cst.Call):
        found = _judge(model, node)
        if found is None or is_excused(model, EffectKind.DRAW, node):
            continue
        if found.kind != "time" and _runs_once(model, unit, node):
            continue
        if not _is_for_the_trace(model, node):
            yield found


def _runs_once(model: SemanticModel, unit: Unit, node: cst.CSTNode) -> bool:
    """Whether a program reaches a node of traced code once in all: then nothing is frozen.

    A clock is read while tracing even then.
    """
    seen: set[int] = set()
    while not unit.is_module:
        edges = model.calls.callers(unit)
        is_keras = unit.class_ is not None and unit.class_.role in KERAS_CALLABLES
        if len(edges) != 1 or is_keras or model.calls.handed(unit) or id(unit) in seen:
            return False
        if repeating(model, node):
            return False
        seen.add(id(unit))
        unit, node = edges[0].caller, edges[0].node
    return not repeating(model, node)


def _judge(model: SemanticModel, node: cst.Call) -> FrozenValue | None:
    name = model.names.one(node.func)
    if name is None:
        return _of_generator(model, node)
    home, _, last = name.rpartition(".")
    if name in _CLOCKS:
        return FrozenValue(node, name, "time")
    if name in _FRESH or home == "secrets":
        return FrozenValue(node, name, "fresh")
    if (home == "random" and last in _PYTHON_DRAWS) or (
        home == "numpy.random" and last in _NUMPY_DRAWS
    ):
        return FrozenValue(node, name, "random")
    return None


def _of_generator(model: SemanticModel, node: cst.Call) -> FrozenValue | None:
    """A draw from a generator of NumPy's (`rng.normal()`)."""
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value not in _NUMPY_DRAWS:
        return None
    holder = node.func.value
    if model.value(holder).name not in _GENERATORS or is_seeded_anew(model, holder):
        return None
    return FrozenValue(node, model.code(node.func), "random")


def _is_for_the_trace(model: SemanticModel, node: cst.Call) -> bool:
    """Whether the value is a seed, a name or the start of a variable."""
    for parent in model.ancestors(node):
        if isinstance(parent, cst.Arg) and parent.keyword is not None:
            if _is_setting(parent.keyword.value):
                return True
        elif isinstance(parent, cst.Call):
            if model.names.one(parent.func) in ("tensorflow.Variable", "tensorflow.name_scope"):
                return True
        elif isinstance(parent, cst.Assign):
            targets = [target.target for target in parent.targets]
            return any(isinstance(t, cst.Name) and _is_setting(t.value) for t in targets)
        elif isinstance(parent, cst.BaseSmallStatement):
            return False
    return False


def _is_setting(name: str) -> bool:
    return name.lower().endswith(_ONCE_PER_TRACE)
