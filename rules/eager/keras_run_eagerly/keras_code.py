"""The project's own code that Keras runs inside of `fit`, and what keeps it from being traced there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from math import inf
from pathlib import Path

import libcst as cst

from tfxla_lint.knowledge.xla import BY_CALLING
from tfxla_lint.semantics.api import TRACED_MODEL_METHODS
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.held_code import code_inside
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_ROLES = frozenset({Kind.MODEL, Kind.LAYER, Kind.LOSS, Kind.METRIC, Kind.OPTIMIZER, Kind.SCHEDULE})
_RUN = BY_CALLING | TRACED_MODEL_METHODS


def relying(model: SemanticModel, ran: cst.BaseExpression) -> list[cst.CSTNode]:
    """What surely does something else in a trace, or fails there, and may be of a model that runs
    eagerly; what stands nearest comes first."""
    found = [
        blocker.node
        for unit in _run_by_keras(model, ran)
        for blocker in model.ask(Safety).callee_blockers(
            unit, is_raw=model.world.runs_keras_3(unit.node, unit.class_)
        )
        if not blocker.of_unknown
    ]
    return sorted(found, key=lambda node: -_shared(model, node))


def _shared(model: SemanticModel, node: cst.CSTNode) -> float:
    """How many folders the file that a node stands in has in common with the module's own file."""
    path = model.path(node)
    if path is None:
        return inf
    files = zip(Path(path).parts, Path(model.home.source.path).parts, strict=False)
    return sum(1 for _ in takewhile(lambda parts: parts[0] == parts[1], files))


def _run_by_keras(model: SemanticModel, ran: cst.BaseExpression) -> Iterator[Unit]:
    """The methods by which Keras runs a model, or where its class is not known, all objects of the
    project's classes; and functions handed to `compile`."""
    own = model.value(ran).class_
    if own is not None:
        methods = (own.method(name) for name in sorted(_RUN))
        yield from (method for method in methods if method is not None)
        yield from code_inside(model, ran)
    for unit in model.every_unit if own is None else ():
        if unit.class_ is not None and unit.class_.role in _ROLES and unit.name in _RUN:
            yield unit
    for use in model.uses:
        if isinstance(use.node, cst.Call) and isinstance(use.node.func, cst.Attribute):
            if use.node.func.attr.value == "compile":
                yield use.unit
