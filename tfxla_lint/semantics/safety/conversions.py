"""Parameters that a function makes tensors of: what is passed for them is none, and a trace's is."""

from __future__ import annotations

from collections.abc import Iterator
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


def conversion(model: Answers, unit: Unit, name: str, value: Value) -> cst.CSTNode | None:
    """The read of a parameter whose conversion fails in a trace, though not eagerly.

    `tf.constant(x)` takes no traced tensor at all. `tf.convert_to_tensor(x, dtype)` makes one of
    an array of another dtype, but takes a traced tensor only of that dtype.
    """
    if not any(leaf.kind in _TAKEN for leaf in leaves(value)):
        return None
    is_open = value.kind is Kind.UNKNOWN
    failing = model.ask(_Conversions).failing
    for read in unit.scope.reads.get(name, ()):
        if _fails(model, read, is_open):
            return read
        if any(failing(*taking, is_open) for taking in _taking(model, read)):
            return read
    return None


class _Conversions:
    """Remembers which parameters some function makes tensors of, itself or in what it hands them to."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._known: dict[tuple[int, str, bool], bool] = {}

    def failing(self, unit: Unit, name: str, is_open: bool) -> bool:
        """Whether a conversion of a parameter fails, here or below."""
        key = id(unit), name, is_open
        if key not in self._known:
            below = {key}
            pending = [(unit, name)]
            fails = False
            while pending and not fails:
                taker, taken = pending.pop()
                for read in taker.scope.reads.get(taken, ()):
                    fails = fails or _fails(self._model, read, is_open)
                    for callee, parameter in _taking(self._model, read):
                        other = id(callee), parameter, is_open
                        fails = fails or self._known.get(other, False)
                        if other not in below and other not in self._known:
                            below.add(other)
                            pending.append((callee, parameter))
            # Of what was met on the way to one that fails it is not known yet whether it leads there.
            self._known.update({key: True} if fails else dict.fromkeys(below, False))
        return self._known[key]


def _fails(model: Answers, read: cst.CSTNode, is_open: bool) -> bool:
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
    return bool(names & _CONVERSION) and has_dtype and is_alone and is_open


def _call_of(model: Answers, read: cst.CSTNode) -> tuple[cst.Call | None, bool]:
    """The call that is given the read, or a list of it; and whether it is given the read itself."""
    node = model.parent(read)
    is_alone = isinstance(node, cst.Arg)
    while isinstance(node, (cst.Element, cst.List, cst.Tuple)):
        node = model.parent(node)
    call = model.parent(node) if isinstance(node, cst.Arg) else None
    return (call, is_alone) if isinstance(call, cst.Call) else (None, False)


def _taking(model: Answers, read: cst.CSTNode) -> Iterator[tuple[Unit, str]]:
    """The functions that are handed what is read, each with the parameter that takes it."""
    argument = model.parent(read)
    call = model.parent(argument) if isinstance(argument, cst.Arg) and not argument.star else None
    if not isinstance(call, cst.Call) or not isinstance(argument, cst.Arg):
        return
    for edge in model.calls.at(call):
        parameter = edge.parameter(argument)
        if parameter is not None and edge.tracing is None:
            yield edge.callee, parameter.name
