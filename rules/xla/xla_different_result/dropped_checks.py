"""Runtime checks in compiled code: XLA leaves them out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.data_sources import compiled_source, surely_tensor
from tfxla_lint.semantics.guards import in_init_scope
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit

_TF = "tensorflow."
#: The checks that run with the graph. Those of types, ranks and known shapes run while tracing.
_CHECKS = behaviour.names(Trait.CHECKS)
_MEASURING = frozenset({_TF + "shape", _TF + "size"})


@dataclass(frozen=True, slots=True)
class DroppedCheck:
    """A check, and what it checks."""

    node: cst.Call
    name: str
    checked: cst.BaseExpression


def dropped_checks(model: SemanticModel, unit: Unit) -> Iterator[DroppedCheck]:
    """The checks of a compiled unit that depend on what it is given."""
    for node in unit.nodes(into_scopes=False):
        if not isinstance(node, cst.Call):
            continue
        name = model.names.one(node.func)
        if name not in _CHECKS or in_init_scope(model, node) or not surely_runs(model, node):
            continue
        checked = _checked(model, node)
        if checked is not None:
            yield DroppedCheck(node, "tf." + name.removeprefix(_TF), checked)


def _checked(model: SemanticModel, node: cst.Call) -> cst.BaseExpression | None:
    """The first of the first two arguments that is only known when the function runs."""
    for argument in node.args[:2]:
        if argument.star:
            return None
        if argument.keyword is not None and argument.keyword.value in ("message", "data", "name"):
            continue
        measured = (
            isinstance(part, cst.Call) and model.names.one(part.func) in _MEASURING
            for part in walk(argument.value)
        )
        source = compiled_source(model, argument.value)
        if any(measured) or (source is not None and surely_tensor(model, source)):
            return argument.value
    return None
