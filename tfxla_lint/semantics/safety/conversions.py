"""Parameters that a function makes tensors of: what is passed for them is none, and a trace's is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_CONSTANT = frozenset({"tensorflow.constant"})
_CONVERSION = frozenset({"tensorflow.convert_to_tensor"})
#: What a trace takes as a tensor, or may do so.
_TAKEN = frozenset({Kind.UNKNOWN, Kind.NDARRAY, Kind.NUMPY_SCALAR, Kind.TENSOR})


def conversion(
    model: Answers, unit: Unit, name: str, value: Value, seen: frozenset[int] = frozenset()
) -> cst.CSTNode | None:
    """The read of a parameter whose conversion fails in a trace, though not eagerly.

    `tf.constant(x)` takes no traced tensor at all. `tf.convert_to_tensor(x, dtype)` makes one of
    an array of another dtype, but takes a traced tensor only of that dtype.
    """
    if id(unit) in seen or not any(leaf.kind in _TAKEN for leaf in leaves(value)):
        return None
    for read in unit.scope.reads.get(name, ()):
        if _fails(model, read, value) or _is_handed_on(model, read, value, seen | {id(unit)}):
            return read
    return None


def _fails(model: Answers, read: cst.CSTNode, value: Value) -> bool:
    call, is_alone = _call_of(model, read)
    if call is None or not call.args:
        return False
    given = call.args[0].value
    if given is not read and given not in model.ancestors(read):
        return False
    names = model.names.of(call.func)
    if names & _CONSTANT:
        return True
    has_dtype = len(call.args) > 1 and (
        call.args[1].keyword is None
        or any(a.keyword and a.keyword.value == "dtype" for a in call.args)
    )
    return bool(names & _CONVERSION) and has_dtype and is_alone and value.kind is Kind.UNKNOWN


def _call_of(model: Answers, read: cst.CSTNode) -> tuple[cst.Call | None, bool]:
    """The call that is given the read, or a list of it; and whether it is given the read itself."""
    node = model.parent(read)
    is_alone = isinstance(node, cst.Arg)
    while isinstance(node, (cst.Element, cst.List, cst.Tuple)):
        node = model.parent(node)
    call = model.parent(node) if isinstance(node, cst.Arg) else None
    return (call, is_alone) if isinstance(call, cst.Call) else (None, False)


def _is_handed_on(model: Answers, read: cst.CSTNode, value: Value, seen: frozenset[int]) -> bool:
    """Whether a function that is passed the parameter makes a tensor of it."""
    argument = model.parent(read)
    call = model.parent(argument) if isinstance(argument, cst.Arg) and not argument.star else None
    if not isinstance(call, cst.Call) or not isinstance(argument, cst.Arg):
        return False
    for edge in model.calls.at(call):
        taking = edge.parameter(argument)
        if taking is not None and edge.tracing is None:
            if conversion(model, edge.callee, taking.name, value, seen) is not None:
                return True
    return False
