"""Tensors whose leading dimension has a size that depends on data, and scalars that hold that size.

XLA gives such a tensor its largest size and keeps the true one beside it. What reads the wrong one
of the two is wrong.
"""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Dtype, Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.data_sources import compiled_source
from tfxla_lint.semantics.flow.origins import THROUGH, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.values import Kind

_TF = "tensorflow."
#: Functions that keep the leading dimension of their first argument.
_KEEPING = behaviour.keeping_shape()
#: Functions that give tensors of bools.
_COMPARING = behaviour.names(Dtype.BOOL)


def dynamic_source(model: Answers, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The operation on which the leading dimension of a tensor depends, or None."""
    return _shapes(model).sources.of(node)


def dynamic_size(model: Answers, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The operation on which a scalar depends that is the size of such a dimension, or None."""
    return _shapes(model).sizes.of(node)


def is_mask(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor of bools, of which `x[mask]` picks rows."""
    return bool(_shapes(model).masks.of(node))


def is_halved_size(model: Answers, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The operation behind a size that is divided (`tf.size(v) // 2`): XLA has no bound for it."""
    if isinstance(node, cst.Name):
        binding = model.flow.reached(node).only
        value = binding.value if binding is not None else None
        return is_halved_size(model, value) if isinstance(value, cst.BinaryOperation) else None
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.FloorDivide):
        return dynamic_size(model, node.left)
    return None


def _is_sized_by_data(name: str, place: int) -> bool:
    """Whether a member of what an operation gives is of such a shape: each of a list, else the first.

    `tf.unique` gives an index for each of what it was given, too.
    """
    row = behaviour.of(name)
    if not name.startswith(_TF) or Trait.PICKS not in row.words:
        return False
    return row.result == "list" or (row.result == "tuple" and place == 0)


def is_flat(model: Answers, source: cst.BaseExpression) -> bool:
    """Whether what a source gives surely has one dimension: `x[x > 0]`, `tf.unique(x)`."""
    if isinstance(source, cst.Subscript):
        return _compares(model, only_index(source), source.value)
    if isinstance(source, cst.Call):
        name = model.names.one(source.func)
        if name == _TF + "boolean_mask":
            masked = argument(source, "tensor", 0)
            return masked is not None and _compares(model, argument(source, "mask", 1), masked)
        return name == _TF + "unique"
    return False


def only_index(node: cst.Subscript) -> cst.BaseExpression | None:
    """The index of `x[index]`; None for slices and for several indices."""
    inner = node.slice[0].slice if len(node.slice) == 1 else None
    return inner.value if isinstance(inner, cst.Index) else None


def _compares(model: Answers, mask: cst.BaseExpression | None, masked: cst.BaseExpression) -> bool:
    """Whether a mask compares the very tensor that it masks with a number."""
    if isinstance(mask, cst.Name):
        binding = model.flow.reached(mask).only
        mask = binding.value if binding is not None else None
    if not isinstance(mask, cst.Comparison) or len(mask.comparisons) != 1:
        return False
    is_number = model.value(mask.comparisons[0].comparator).is_python_scalar
    return is_number and mask.left.deep_equals(masked)


def _shapes(model: Answers) -> _Shapes:
    return model.ask(_Shapes)


class _Shapes:
    """The questions about such tensors, which ask each other."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(returns=lambda edge: True)
        self.sources = Origins(model.flow, through, self._source)
        self.sizes = Origins(model.flow, Through(), self._size, self.sources)
        self.masks = Origins(model.flow, Through(), self._mask, self.sources)

    def _source(self, node: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        if path:
            return self._of_member(node, path)
        if isinstance(node, cst.Call):
            return THROUGH if self._model.callees(node) else self._of_call(node)
        if isinstance(node, cst.Subscript):
            return self._of_subscript(node)
        if isinstance(node, cst.Attribute):
            return self.sources.of(node.value, (0,)) if node.attr.value == "y" else None
        if isinstance(node, cst.BinaryOperation):
            return self._of_operands(node.left, node.right)
        if isinstance(node, cst.AugAssign):
            return self._of_operands(node.target, node.value)
        if isinstance(node, cst.UnaryOperation):
            return self.sources.of(node.expression)
        return THROUGH

    def _size(self, node: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        if path:
            return (path == (0,) and self._measured(node, "shape")) or THROUGH
        if isinstance(node, cst.Subscript):
            index = only_index(node)
            is_first = index is not None and self._model.value(index).constant == 0
            return self.sizes.of(node.value, (0,)) if is_first else None
        return self._measured(node, "size") if isinstance(node, cst.Call) else THROUGH

    def _measured(self, node: cst.CSTNode, what: str) -> cst.BaseExpression | None:
        """`tf.size(v)` or `tf.shape(v)` of a tensor of such a shape."""
        if not isinstance(node, cst.Call) or self._model.names.one(node.func) != _TF + what:
            return None
        return self.sources.of(argument(node, "input", 0))

    def _of_member(self, node: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        """A member of what `tf.unique` or `tf.dynamic_partition` gives."""
        if not isinstance(node, cst.Call) or self._model.callees(node):
            return THROUGH
        name = self._model.names.one(node.func) or ""
        place = path[0]
        if len(path) > 1 or place is None or not _is_sized_by_data(name, place):
            return None
        if name == _TF + "dynamic_partition":
            return node if _varies(self._model, argument(node, "partitions", 1)) else None
        return node

    def _of_call(self, node: cst.Call) -> cst.BaseExpression | None:
        model, of = self._model, self.sources.of
        name = model.names.one(node.func)
        if name is None or any(a.star for a in node.args) or not node.args:
            return None
        first = node.args[0].value
        if name == _TF + "boolean_mask":
            is_along_rows = argument(node, "axis", 2) is None
            return node if is_along_rows and _varies(model, argument(node, "mask", 1)) else None
        if name == _TF + "where":
            return node if len(node.args) == 1 and _varies(model, first) else None
        if name in _KEEPING:
            return of(first)
        if name == _TF + "map_fn":
            return of(argument(node, "elems", 1))
        if name == _TF + "range":
            return self.sizes.of(first) if len(node.args) == 1 else None
        if name in (_TF + "gather", _TF + "gather_nd"):
            if argument(node, "axis", 3) or argument(node, "batch_dims", 4):
                return None
            return of(argument(node, "indices", 1))
        if name == _TF + "reshape":
            return of(first) if _begins_open(model, node) else None
        if name in (_TF + "squeeze", _TF + "expand_dims"):
            axis = argument(node, "axis", 1)
            keeps = axis is not None and model.value(axis).constant in (-1, 1, 2)
            return of(first) if keeps else None
        return None

    def _of_subscript(self, node: cst.Subscript) -> cst.BaseExpression | None:
        model = self._model
        index = only_index(node)
        if index is not None and _picks_rows(model, node.value, index):
            return node
        if index is not None and isinstance(node.value, (cst.Call, cst.Name)):
            place = model.value(index).constant
            if type(place) is int and place >= 0:
                member = self.sources.of(node.value, (place,))
                if member is not None:
                    return member
        return self.sources.of(node.value) if _keeps_rows(model, node) else None

    def _of_operands(
        self, left: cst.BaseExpression, right: cst.BaseExpression
    ) -> cst.BaseExpression | None:
        """An operation of such a tensor with a scalar, or with another such tensor."""
        sources = [self.sources.of(side) for side in (left, right)]
        if sources[0] is not None and sources[1] is not None:
            return sources[0]
        for source, other in ((sources[0], right), (sources[1], left)):
            value = self._model.value(other)
            if source is not None and (value.is_python_scalar or value.shape == ()):
                return source
        return None

    def _mask(self, node: cst.CSTNode, path: Path) -> bool | Look | None:
        value = self._model.value(node)
        if value.kind is Kind.TENSOR and value.dtype == "bool" and value.shape != () and not path:
            return True
        if isinstance(node, cst.BinaryOperation):
            is_joined = isinstance(node.operator, (cst.BitAnd, cst.BitOr, cst.BitXor))
            return is_joined and all(self.masks.of(side) for side in (node.left, node.right))
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, cst.BitInvert) and self.masks.of(node.expression)
        if isinstance(node, cst.Call) and not path:
            return self._model.names.one(node.func) in _COMPARING
        return THROUGH


def _varies(model: Answers, mask: cst.BaseExpression | None) -> bool:
    """Whether a mask depends on data: with a constant one, the shape is known."""
    return mask is not None and compiled_source(model, mask) is not None


def _begins_open(model: Answers, node: cst.Call) -> bool:
    """Whether a reshape leaves its first dimension open: `tf.reshape(v, [-1, 2])`."""
    shape = argument(node, "shape", 1)
    elements = model.value(shape).elements if shape is not None else None
    return bool(elements) and elements[0].constant == -1  # type: ignore[index]


def _keeps_rows(model: Answers, node: cst.Subscript) -> bool:
    """Whether the leading dimension stays open: `v[1:]`, `v[:, 0]`, `v[..., 0]`, not `v[:3]`."""
    leading = node.slice[0].slice
    if isinstance(leading, cst.Index):
        return isinstance(leading.value, cst.Ellipsis) and len(node.slice) > 1
    if not isinstance(leading, cst.Slice) or leading.upper is None:
        return True
    end = model.value(leading.upper).constant
    return type(end) is int and end < 0


def _picks_rows(model: Answers, indexed: cst.BaseExpression, index: cst.BaseExpression) -> bool:
    """Whether `indexed[index]` masks a tensor."""
    if model.value(indexed).is_tensor:
        return is_mask(model, index) and _varies(model, index)
    if model.value(indexed).is_known or not isinstance(indexed, cst.Name):
        return False
    binding = model.flow.reached(indexed).only
    is_argument = binding is not None and binding.kind is BindingKind.PARAMETER
    is_masking = is_mask(model, index) or _compares(model, index, indexed)
    return is_argument and is_masking and _varies(model, index)
