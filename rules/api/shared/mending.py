"""Renames that make code run which raised: safe where nothing may have lived on its failing."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import NodeEdit, Rewrite
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.caught import ends_in_a_jump, ways_out
from tfxla_lint.semantics.safety.elsewhere import watched_units
from tfxla_lint.semantics.syntax import decorators_of
from tfxla_lint.semantics.units import Unit

_TENSORFLOW = "tensorflow."
_KEEPING = frozenset[str]().union(
    *map(behaviour.names, (Trait.STATIC_METHOD, Trait.CLASS_METHOD, Trait.KEEPS_FUNCTION))
)


def mending(
    model: SemanticModel, node: cst.CSTNode, title: str, edits: Sequence[NodeEdit]
) -> Rewrite:
    """The fix of what raises at `node`; unsafe where what runs it, through calls too, may catch that."""
    for unit, met in ways_out(model, node, set(), model.calls.callers):
        if _is_run_unseen(model, unit) if met is unit.node else _may_catch(met):
            assumption = "what catches the error that this raises is not wanted"
            return Rewrite(title, edits, Applicability.UNSAFE, Intent.CORRECTING, assumption)
    return Rewrite(title, edits, Applicability.SAFE, Intent.CORRECTING)


def _may_catch(node: cst.CSTNode) -> bool:
    """Whether it has a handler, drops what was raised, or is a context of which that is not known."""
    if isinstance(node, (cst.Try, cst.TryStar)):
        return bool(node.handlers) or ends_in_a_jump(node)
    return isinstance(node, cst.With)


def _is_run_unseen(model: SemanticModel, unit: Unit) -> bool:
    """Whether something may run a function of which no call is seen, and catch what it raises."""
    if id(unit) in model.ask(watched_units):
        return True
    if not isinstance(unit.node, cst.FunctionDef):
        return False
    names = [model.names.one(decorator) for decorator in decorators_of(unit.node)]
    known = (name in _KEEPING or (name or "").startswith(_TENSORFLOW) for name in names)
    return unit.is_generator or not all(known)
