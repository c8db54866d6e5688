"""What code gives back: from a trace that is tensors, and others than it was passed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.dict_keys import keys_sort
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: What neither passes into a trace nor comes out of one: TensorFlow sorts the keys.
CLASHING = "a dict whose keys do not sort"

_RESULTS = frozenset({Kind.TENSOR, Kind.NONE})


def is_tensor(value: Value) -> bool:
    """Whether a value surely is a tensor."""
    is_sure = not (value.mixed or value.maybe_none or value.by_use)
    return value.kind is Kind.TENSOR and is_sure


def gives_tensors(model: Answers, unit: Unit) -> bool:
    """Whether all that a function returns, and what it holds, is a tensor, or nothing.

    Of a dict only that is known which is written out: what its values are is one for all of them.
    """
    if not all(v.kind in _RESULTS and not (v.mixed or v.by_use) for v in leaves(unit.returns)):
        return False
    if not _has_dict(unit.returns):
        return True
    if not keys_sort(unit.returns):
        return False
    returned = (n.value for n in walk(unit.node) if isinstance(n, cst.Return))
    return all(result is None or _is_written_out(model, result) for result in returned)


def _has_dict(value: Value) -> bool:
    held = (*(value.elements or ()), *([value.item] if value.item is not None else []))
    return value.kind is Kind.DICT or any(map(_has_dict, held))


def _is_written_out(model: Answers, result: cst.BaseExpression) -> bool:
    """Whether an expression shows each tensor that it holds."""
    if isinstance(result, (cst.Tuple, cst.List, cst.Dict)):
        starred = (cst.StarredElement, cst.StarredDictElement)
        return not any(isinstance(e, starred) for e in result.elements) and all(
            _is_written_out(model, element.value) for element in result.elements
        )
    return is_tensor(model.value(result))


def given_back(result: cst.BaseExpression, given: set[str]) -> Iterator[cst.Name]:
    """The parameters that a result holds, which from a trace are other tensors."""
    if isinstance(result, (cst.Tuple, cst.List)):
        for element in result.elements:
            yield from given_back(element.value, given)
    elif isinstance(result, cst.IfExp):
        yield from given_back(result.body, given)
        yield from given_back(result.orelse, given)
    elif isinstance(result, cst.Name) and result.value in given:
        yield result
