"""Code that is left to Keras: the `call` of layers that nothing in sight runs, and what these call."""

from __future__ import annotations

from collections.abc import Iterator

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_TRACED_BY_FIT = (Kind.LAYER, Kind.MODEL)


def left_to_keras(model: SemanticModel) -> Iterator[tuple[Unit, Unit]]:
    """Such functions of a module, each with the `call` that runs it; none where it is known how they
    run, nor where TensorFlow or Keras is made to run eagerly."""
    home = model.world.home(model.units.module.node)
    if functions_run_eagerly(model) is not None or (home is not None and home.holds_tests):
        return
    if model.contexts.keras_may_run_eagerly:
        return
    for unit in model.units.all[1:]:
        call = _call_above(model, unit)
        if call is not None:
            yield unit, call


def runners_left_to_keras(model: SemanticModel) -> dict[Unit, Unit]:
    """Such functions of a module, and the `call` that runs each."""
    return model.once("left_to_keras", lambda: dict(left_to_keras(model)))


def _call_above(model: SemanticModel, start: Unit) -> Unit | None:
    """The `call` by which alone a function is run, itself perhaps."""
    found: Unit | None = None
    pending, seen = [start], set[int]()
    while pending:
        unit = pending.pop()
        if id(unit) in seen:
            continue
        seen.add(id(unit))
        if _is_known(model, unit):
            return None
        info = unit.class_
        if info is not None and info.role in _TRACED_BY_FIT and unit.name == "call":
            found = found or unit
            continue
        callers = [edge.caller for edge in model.calls.untraced(unit)]
        if not callers:
            return None
        pending += callers
    return found


def _is_known(model: SemanticModel, unit: Unit) -> bool:
    """Whether it is known how a function runs, or nobody can know."""
    contexts = model.contexts
    if contexts.traced(unit) is not None or contexts.eager(unit) is not None:
        return True
    return bool(unit.is_module or unit.unknown_decorators or model.calls.handed(unit))
