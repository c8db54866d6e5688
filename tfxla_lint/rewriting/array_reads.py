"""Lets NumPy pick from the array of a result, where it would be given a slice of the tensor."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.edits import Replace
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import Kind

_NUMPY = "numpy."


def as_arrays(model: SemanticModel, call: cst.Call) -> Iterator[Replace]:
    """`np.argmax(q[0])` becomes `np.argmax(q.numpy()[0])`, where `q` is what the call gives.

    A slice of a tensor is one more operation, of which NumPy makes an array at once.
    """
    name = _name_of(model, call)
    if name is None or model.value(call).kind is not Kind.TENSOR or model.value(call).mixed:
        return
    for read in model.unit(call).scope.reads.get(name, ()):
        subscript = model.parent(read)
        if not isinstance(subscript, cst.Subscript) or subscript.value is not read:
            continue
        if _has_plain_index(subscript) and _is_given_to_numpy(model, subscript):
            yield Replace(read, f"{name}.numpy()")


def _name_of(model: SemanticModel, call: cst.Call) -> str | None:
    """The local name that is bound to the result of a call, and to nothing else."""
    statement = model.parent(call)
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
        return None
    target = statement.targets[0].target
    unit = model.unit(call)
    if not isinstance(target, cst.Name) or unit.is_module:
        return None
    bindings = unit.scope.bindings.get(target.value, [])
    is_only = len(bindings) == 1 and bindings[0].kind is BindingKind.ASSIGNMENT
    return target.value if is_only else None


def _has_plain_index(subscript: cst.Subscript) -> bool:
    """Whether one row is taken, whose number is written out and not negative."""
    index = subscript.slice[0].slice if len(subscript.slice) == 1 else None
    return isinstance(index, cst.Index) and isinstance(index.value, cst.Integer)


def _is_given_to_numpy(model: SemanticModel, node: cst.CSTNode) -> bool:
    argument = model.parent(node)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call):
        return False
    return (model.names.one(call.func) or "").startswith(_NUMPY)
