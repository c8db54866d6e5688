"""Metrics that each turn of an outer loop makes anew, and that one could be, set back each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.repeated.invariance import is_bound_in
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_METRICS = "tensorflow.keras.metrics."
#: What leaves nothing of the metric itself behind.
_USES = behaviour.methods(Trait.METRIC_CYCLE, "metric")
#: The first version in which every metric has `reset_state`.
_SINCE = (2, 5)


def resettable_metric(
    model: SemanticModel, name: str, scope: Scope, loop: Loop
) -> cst.SimpleStatementLine | None:
    """The line in the body of `loop` that makes a metric on its turns.

    None where another metric object each time may matter: where it is kept, handed over or read by
    a function, or where the turns make different ones.
    """
    bindings = scope.bindings.get(name, [])
    if any(binding.kind is not BindingKind.ASSIGNMENT for binding in bindings):
        return None
    remade = _remade(model, bindings, loop) if len(bindings) == 2 else None
    if len(bindings) != 1 and remade is None:
        return None
    binding = remade or bindings[0]
    if model.tf_version is not None and model.tf_version < _SINCE:
        return None
    line = _line_of(model, binding.node)
    made = binding.value
    if line is None or not isinstance(made, cst.Call) or model.value(made).kind is not Kind.METRIC:
        return None
    if loop.body not in model.ancestors(line) or is_bound_in(model, made, loop):
        return None
    if not _is_plain(model, made):
        return None
    return line if _is_only_used(model, name, scope) else None


def is_made_before(model: SemanticModel, line: cst.SimpleStatementLine) -> bool:
    """Whether what a line makes anew has been made once before its loop, just as there."""
    assignment = line.body[0]
    target = assignment.targets[0].target if isinstance(assignment, cst.Assign) else None
    if not isinstance(target, cst.Name):
        return False
    return len(model.binder.scope(target).lookup(target.value)) > 1


def _remade(model: SemanticModel, bindings: Sequence[Binding], loop: Loop) -> Binding | None:
    """Of two bindings, the one in a loop, where one before the loop surely makes the same."""
    inside = [b for b in bindings if loop.body in model.ancestors(b.node)]
    before = [b for b in bindings if b not in inside]
    if len(inside) != 1 or before[0].value is None or inside[0].value is None:
        return None
    line = _line_of(model, before[0].node)
    block = model.parent(line) if line is not None else None
    if line is None or not before[0].value.deep_equals(inside[0].value):
        return None
    if not isinstance(block, (cst.IndentedBlock, cst.Module)):
        return None
    around = {id(node) for node in (loop, *model.ancestors(loop))}
    rest = block.body[list(block.body).index(line) :]
    return inside[0] if any(id(statement) in around for statement in rest) else None


def _line_of(model: SemanticModel, node: cst.CSTNode) -> cst.SimpleStatementLine | None:
    """The line of its own on which the only target of an assignment stands."""
    for holder in (node, *model.ancestors(node)):
        if isinstance(holder, cst.SimpleStatementLine):
            small = holder.body[0] if len(holder.body) == 1 else None
            is_plain = isinstance(small, cst.Assign) and len(small.targets) == 1
            return holder if is_plain else None
        if isinstance(holder, cst.BaseCompoundStatement):
            return None
    return None


def _is_plain(model: SemanticModel, made: cst.Call) -> bool:
    """Whether a call makes one of TensorFlow's metrics, with settings that are written out."""
    name = model.names.one(made.func)
    return (
        name is not None
        and name.startswith(_METRICS)
        and name[len(_METRICS)].isupper()
        and all(not a.star and _is_fixed(model.value(a.value)) for a in made.args)
    )


def _is_fixed(value: Value) -> bool:
    return value.has_constant or value.kind is Kind.DTYPE


def _is_only_used(model: SemanticModel, name: str, scope: Scope) -> bool:
    """Whether every read of the metric calls it, or a method of it that keeps nothing."""
    for node in walk(scope.node):
        if not isinstance(node, cst.Name) or node.value != name:
            continue
        reader = model.binder.scope(node)
        if not any(read is node for read in reader.reads.get(name, ())):
            continue
        if reader.home(name) is not scope:
            continue
        if reader is not scope or not _is_use(model, node):
            return False
    return True


def _is_use(model: SemanticModel, node: cst.Name) -> bool:
    parent = model.parent(node)
    if isinstance(parent, cst.Call):
        return parent.func is node
    if not isinstance(parent, cst.Attribute) or parent.attr.value not in _USES:
        return False
    call = model.parent(parent)
    return isinstance(call, cst.Call) and call.func is parent
