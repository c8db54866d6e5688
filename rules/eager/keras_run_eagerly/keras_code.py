"""The code of a module that Keras runs inside of `fit`: methods of its classes, losses, metrics."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_ROLES = frozenset({Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE})
_VALUE_METHODS = behaviour.methods(Effect.READS_VALUE, "tensor")
_PYTHON_CODE = ("numpy.", "random.", "time.", "builtins.print", "logging.", "absl.logging.")


def keras_units(model: SemanticModel) -> list[Unit]:
    """Methods of Keras classes and functions handed to `compile`, with what they call."""
    found = [u for u in model.units.all if u.class_ is not None and u.class_.role in _ROLES]
    found = [unit for unit in found if unit.name not in ("__init__", "get_config")]
    for use in model.uses:
        if isinstance(use.node, cst.Call) and isinstance(use.node.func, cst.Attribute):
            if use.node.func.attr.value == "compile":
                found.append(use.unit)
    for unit in found:
        for node in unit.nodes():
            if isinstance(node, cst.Call):
                found += [c.unit for c in model.callees(node) if c.unit not in found]
    return found


def python_code(model: SemanticModel, unit: Unit) -> Iterator[cst.CSTNode]:
    """Nodes of a unit that read values or have effects in Python, so a trace may change them."""
    for node in unit.nodes():
        if isinstance(node, cst.Call):
            name = model.names.one(node.func)
            if (name is not None and name.startswith(_PYTHON_CODE)) or (
                isinstance(node.func, cst.Attribute) and node.func.attr.value in _VALUE_METHODS
            ):
                yield node
        elif isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            if isinstance(node.target, cst.Attribute):
                yield node.target
