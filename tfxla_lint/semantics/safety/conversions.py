"""Parameters that a function makes tensors of: what is passed for them is none, and a trace's is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.flow.closure import first
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
    for read in _reads(unit, name):
        if _fails(model, read, is_open):
            return read
        if any(failing(*taking, is_open) for taking in _taking(model, read)):
            return read
    return None


class _Conversions:
    """Remembers of which parameters no function makes tensors, itself or in what it hands them to."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        #: Each parameter once, for what goes from one to the next knows them by identity.
        self._parameters: dict[tuple[int, str], tuple[Unit, str]] = {}
        self._barren: dict[bool, set[int]] = {False: set(), True: set()}

    def failing(self, unit: Unit, name: str, is_open: bool) -> bool:
        """Whether a conversion of a parameter fails, here or below."""

        def fails(taken: tuple[Unit, str]) -> cst.CSTNode | None:
            return next((r for r in _reads(*taken) if _fails(self._model, r, is_open)), None)

        start = self._parameter(unit, name)
        return first(start, self._handed_on, fails, self._barren[is_open]) is not None

    def _handed_on(self, taken: tuple[Unit, str]) -> list[tuple[Unit, str]]:
        takers = (_taking(self._model, read) for read in _reads(*taken))
        return [self._parameter(*taker) for each in takers for taker in each]

    def _parameter(self, unit: Unit, name: str) -> tuple[Unit, str]:
        return self._parameters.setdefault((id(unit), name), (unit, name))


def _reads(unit: Unit, name: str) -> Sequence[cst.Name]:
    return unit.scope.reads.get(name, ())


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
    """The call that is given the read, or a list of it; and whether it is given the read itself, or what
    it holds in another shape."""
    child, node = read, model.parent(read)
    while isinstance(node, cst.Subscript) and node.value is child:
        child, node = node, model.parent(node)
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
