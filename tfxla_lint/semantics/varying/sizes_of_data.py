"""Arrays whose size the data decide: a boolean mask picks their rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_TF, _NP = "tensorflow.", "numpy."
#: Functions that give as many rows as the data have of something.
_PICKING = behaviour.names(Trait.PICKS)
_WHERE = frozenset({_TF + "where", _NP + "where"})
_GATHERING = behaviour.names(Trait.GATHERS)
#: Functions and methods that keep the length of their first argument, or of the receiver.
_KEEPING = behaviour.keeping_shape() | behaviour.names(Trait.KEEPS_LENGTH)
_METHODS = behaviour.methods(Trait.KEEPS_LENGTH)
_MASKS = behaviour.names(Trait.MASKS)


_THROUGH = Through(agree=Agree.ANY)


def is_sized_by_data(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an array has as many rows as a mask, or what is known of the data, picks."""
    return bool(_sizes(model).sized.of(node))


def is_mask(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an index picks as many rows as the data say: a boolean array, the result of `where`."""
    return bool(_sizes(model).masks.of(node))


def _sizes(model: Answers) -> _Sizes:
    return model.ask(_Sizes)


class _Sizes:
    """The two questions about sizes, each of which asks the other."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self.sized = Origins(model.flow, _THROUGH, self._is_sized)
        self.masks = Origins(model.flow, _THROUGH, self._is_mask, self.sized)
        self._tuples = Origins(model.flow, _THROUGH, self._is_tuple, self.sized)

    def _is_sized(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        if isinstance(node, cst.Subscript):
            return not path and self._is_sized_part(node)
        if isinstance(node, cst.BinaryOperation):
            return not path and self.sized.any([node.left, node.right])
        if not isinstance(node, cst.Call):
            return THROUGH
        is_pair = bool(self._model.names.of(node.func) & (_PICKING | _WHERE))
        return (is_pair or not path) and self._is_sized_call(node)

    def _is_sized_part(self, node: cst.Subscript) -> bool | None:
        indices = [e.slice.value for e in node.slice if isinstance(e.slice, cst.Index)]
        if self.masks.any(indices):
            return True
        first = node.slice[0].slice
        is_row = isinstance(first, cst.Index) and self._model.value(first.value).kind is Kind.INT
        return (not is_row or self._tuples.of(node.value)) and self.sized.of(node.value)

    def _is_sized_call(self, node: cst.Call) -> bool | None:
        names = self._model.names.of(node.func)
        plain = [argument.value for argument in node.args if not argument.star]
        if names & _PICKING:
            return True
        if names & _WHERE:
            return len(plain) == 1
        if names & (_GATHERING | _KEEPING):
            return self.sized.any(plain[: 2 if names & _GATHERING else 1])
        if isinstance(node.func, cst.Attribute) and not names:
            name, holder = node.func.attr.value, node.func.value
            if name == "nonzero":
                return self._model.value(holder).kind is Kind.NDARRAY
            return name in _METHODS and self.sized.of(holder)
        return False

    def _is_mask(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = self._model.value(node)
        if value.kind in (Kind.TENSOR, Kind.NDARRAY) and value.dtype == "bool":
            if value.shape != ():
                return True
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.BitInvert) and self.masks.of(node.expression)
        if isinstance(node, cst.BinaryOperation):
            is_joined = isinstance(node.operator, (cst.BitAnd, cst.BitOr, cst.BitXor))
            return is_joined and self.masks.any([node.left, node.right])
        if isinstance(node, cst.Call) and self._model.names.of(node.func) & _MASKS:
            return True
        if isinstance(node, (cst.Call, cst.Subscript)):
            return self.sized.of(node, path)
        return THROUGH

    def _is_tuple(self, node: cst.CSTNode, path: Path) -> bool | Look:
        """Whether a call gives a tuple of arrays of indices, as NumPy's own do."""
        if not isinstance(node, cst.Call):
            return THROUGH
        if self._model.names.of(node.func) & {_NP + "where", _NP + "nonzero"}:
            return not path
        return isinstance(node.func, cst.Attribute) and node.func.attr.value == "nonzero"
