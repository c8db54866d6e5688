"""Arrays that nothing but TensorFlow reads, so that tensors may take their place."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.turns import is_taped
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind


def only_tensorflow_reads(model: SemanticModel, call: cst.Call) -> bool:
    """Whether local names take the arrays that a call gives, and only operations and models of
    TensorFlow, which make the same of a tensor, read them.
    """
    statement = model.parent(call)
    unit = model.unit(call)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1 or unit.is_module:
        return False
    if is_taped(model, call):
        # A gradient flows through tensors, and not through arrays.
        return False
    target = statement.targets[0].target
    parts = [e.value for e in target.elements] if isinstance(target, cst.Tuple) else [target]
    names = [part for part in parts if isinstance(part, cst.Name)]
    if len(names) < len(parts):
        return False
    found = [_reads(model, name) for name in names]
    reads = [read for one in found for read in one or ()]
    if None in found or not reads:
        return False
    are_taken = all(_is_for_tensorflow(model, read) for read in reads)
    return are_taken and model.ask(Safety).raw_use(reads) is None


def _reads(model: SemanticModel, target: cst.Name) -> list[cst.Name] | None:
    """The reads of what an assignment gives to a local name; None where it can't be told."""
    scope = model.binder.scope(target)
    name = target.value
    inner = [s for s in model.binder.inner_scopes.values() if s is not scope and name in s.reads]
    if scope.home(name) is not scope or any(s.home(name) is scope for s in inner):
        return None
    bindings = [(read, model.flow.reached(read).only) for read in scope.reads.get(name, ())]
    if any(binding is None for _, binding in bindings):
        return None
    return [read for read, binding in bindings if binding and binding.node is target]


def _is_for_tensorflow(model: SemanticModel, read: cst.Name) -> bool:
    """Whether a read is an argument of an operation that gives a tensor, or of a model."""
    argument = model.parent(read)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call) or not isinstance(argument, cst.Arg) or argument.star:
        return False
    if model.value(call.func).kind in KERAS_CALLABLES:
        return True
    name = model.names.one(call.func) or ""
    return api.is_op(name) and api.result_of(name).kind is Kind.TENSOR
