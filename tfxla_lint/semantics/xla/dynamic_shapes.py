"""Tensors whose leading dimension has a size that depends on data, and scalars that hold that size.

XLA gives such a tensor its largest size and keeps the true one beside it. What reads the wrong one
of the two is wrong.
"""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Dtype
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.data_sources import compiled_source
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.reaching import assigned_value, definition, only_return
from tfxla_lint.semantics.scopes import Binding, BindingKind
from tfxla_lint.semantics.values import Kind

_DEPTH = 12
_TF = "tensorflow."
#: Functions that keep the leading dimension of their first argument.
_KEEPING = behaviour.keeping_shape()
#: Functions that give tensors of bools.
_COMPARING = behaviour.names(Dtype.BOOL)
#: Functions that give several tensors, with the number of those that are of such a shape.
_PAIRS = {_TF + "unique": 1, _TF + "dynamic_partition": 99, _TF + "experimental.numpy.nonzero": 99}
_SIZES = frozenset({_TF + "size", _TF + "shape"})


def dynamic_source(
    model: SemanticModel, node: cst.CSTNode, depth: int = _DEPTH
) -> cst.BaseExpression | None:
    """The operation on which the leading dimension of a tensor depends, or None."""
    if depth == 0:
        return None
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        return _of_binding(model, binding, depth - 1) if binding is not None else None
    if isinstance(node, cst.Call):
        return _of_call(model, node, depth - 1)
    if isinstance(node, cst.Subscript):
        return _of_subscript(model, node, depth - 1)
    if isinstance(node, cst.Attribute) and node.attr.value == "y":
        return _of_member(model, node.value, 0)
    if isinstance(node, cst.BinaryOperation):
        return _of_operands(model, node.left, node.right, depth - 1)
    if isinstance(node, cst.UnaryOperation):
        return dynamic_source(model, node.expression, depth - 1)
    return None


def dynamic_size(
    model: SemanticModel, node: cst.CSTNode, depth: int = _DEPTH
) -> cst.BaseExpression | None:
    """The operation on which a scalar depends that is the size of such a dimension, or None."""
    if depth == 0:
        return None
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        if binding is None or binding.value is None or binding.kind is not BindingKind.ASSIGNMENT:
            return None
        return dynamic_size(model, binding.value, depth - 1)
    if isinstance(node, cst.Subscript):
        index = only_index(node)
        is_first = index is not None and model.value(index).constant == 0
        return _measured(model, node.value, "shape", depth) if is_first else None
    return _measured(model, node, "size", depth)


def is_halved_size(model: SemanticModel, node: cst.CSTNode) -> cst.BaseExpression | None:
    """The operation behind a size that is divided (`tf.size(v) // 2`): XLA has no bound for it."""
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        value = binding.value if binding is not None else None
        return is_halved_size(model, value) if isinstance(value, cst.BinaryOperation) else None
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.FloorDivide):
        return dynamic_size(model, node.left)
    return None


def is_flat(model: SemanticModel, source: cst.BaseExpression) -> bool:
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


def _compares(
    model: SemanticModel, mask: cst.BaseExpression | None, masked: cst.BaseExpression
) -> bool:
    """Whether a mask compares the very tensor that it masks with a number."""
    if isinstance(mask, cst.Name):
        binding = definition(model, mask)
        mask = binding.value if binding is not None else None
    if not isinstance(mask, cst.Comparison) or len(mask.comparisons) != 1:
        return False
    is_number = model.value(mask.comparisons[0].comparator).is_python_scalar
    return is_number and mask.left.deep_equals(masked)


def _measured(
    model: SemanticModel, node: cst.CSTNode, what: str, depth: int
) -> cst.BaseExpression | None:
    """`tf.size(v)` or `tf.shape(v)` of a tensor of such a shape."""
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        node = binding.value if binding is not None and binding.value is not None else node
    if not isinstance(node, cst.Call) or model.names.one(node.func) != _TF + what:
        return None
    given = argument(node, "input", 0)
    return dynamic_source(model, given, depth - 1) if given is not None else None


def _of_binding(model: SemanticModel, binding: Binding, depth: int) -> cst.BaseExpression | None:
    if binding.kind is BindingKind.ASSIGNMENT:
        if binding.value is not None:
            return dynamic_source(model, binding.value, depth)
        unpacked = assigned_value(model, binding)
        return _of_member(model, *unpacked) if unpacked is not None else None
    statement = model.parent(binding.node)
    if binding.kind is BindingKind.AUGMENTED and isinstance(statement, cst.AugAssign):
        return _of_operands(model, statement.target, statement.value, depth)
    return None


def _of_member(
    model: SemanticModel, node: cst.BaseExpression, position: int
) -> cst.BaseExpression | None:
    """A member of what `tf.unique` or `tf.dynamic_partition` gives."""
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        node = binding.value if binding is not None and binding.value is not None else node
    if not isinstance(node, cst.Call):
        return None
    name = model.names.one(node.func) or ""
    if not 0 <= position < _PAIRS.get(name, 0):
        return None
    if name == _TF + "dynamic_partition" and not _varies(model, argument(node, "partitions", 1)):
        return None
    return node


def _of_call(model: SemanticModel, node: cst.Call, depth: int) -> cst.BaseExpression | None:
    returned = only_return(model, node)
    if returned is not None:
        return dynamic_source(model, returned, depth)
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
        return dynamic_source(model, first, depth)
    if name == _TF + "map_fn":
        elements = argument(node, "elems", 1)
        return dynamic_source(model, elements, depth) if elements is not None else None
    if name == _TF + "range":
        return dynamic_size(model, first, depth) if len(node.args) == 1 else None
    if name in (_TF + "gather", _TF + "gather_nd"):
        indices = argument(node, "indices", 1)
        if indices is None or argument(node, "axis", 3) or argument(node, "batch_dims", 4):
            return None
        return dynamic_source(model, indices, depth)
    if name == _TF + "reshape":
        return dynamic_source(model, first, depth) if _begins_open(model, node) else None
    if name in (_TF + "squeeze", _TF + "expand_dims"):
        axis = argument(node, "axis", 1)
        keeps = axis is not None and model.value(axis).constant in (-1, 1, 2)
        return dynamic_source(model, first, depth) if keeps else None
    return None


def _varies(model: SemanticModel, mask: cst.BaseExpression | None) -> bool:
    """Whether a mask depends on data: with a constant one, the shape is known."""
    return mask is not None and compiled_source(model, mask) is not None


def _begins_open(model: SemanticModel, node: cst.Call) -> bool:
    """Whether a reshape leaves its first dimension open: `tf.reshape(v, [-1, 2])`."""
    shape = argument(node, "shape", 1)
    elements = model.value(shape).elements if shape is not None else None
    return bool(elements) and elements[0].constant == -1  # type: ignore[index]


def _of_subscript(
    model: SemanticModel, node: cst.Subscript, depth: int
) -> cst.BaseExpression | None:
    index = only_index(node)
    if index is not None and _picks_rows(model, node.value, index):
        return node
    if index is not None and isinstance(node.value, (cst.Call, cst.Name)):
        position = model.value(index).constant
        if type(position) is int:
            member = _of_member(model, node.value, position)
            if member is not None:
                return member
    return dynamic_source(model, node.value, depth) if _keeps_rows(model, node) else None


def _keeps_rows(model: SemanticModel, node: cst.Subscript) -> bool:
    """Whether the leading dimension stays open: `v[1:]`, `v[:, 0]`, `v[..., 0]`, not `v[:3]`."""
    leading = node.slice[0].slice
    if isinstance(leading, cst.Index):
        return isinstance(leading.value, cst.Ellipsis) and len(node.slice) > 1
    if not isinstance(leading, cst.Slice) or leading.upper is None:
        return True
    end = model.value(leading.upper).constant
    return type(end) is int and end < 0


def _picks_rows(
    model: SemanticModel, indexed: cst.BaseExpression, index: cst.BaseExpression
) -> bool:
    """Whether `indexed[index]` masks a tensor."""
    if model.value(indexed).is_tensor:
        return is_mask(model, index) and _varies(model, index)
    if model.value(indexed).is_known or not isinstance(indexed, cst.Name):
        return False
    binding = definition(model, indexed)
    is_argument = binding is not None and binding.kind is BindingKind.PARAMETER
    is_masking = is_mask(model, index) or _compares(model, index, indexed)
    return is_argument and is_masking and _varies(model, index)


def is_mask(model: SemanticModel, node: cst.BaseExpression, depth: int = _DEPTH) -> bool:
    """Whether an expression is a tensor of bools, of which `x[mask]` picks rows."""
    value = model.value(node)
    if value.kind is Kind.TENSOR and value.dtype == "bool" and value.shape != ():
        return True
    if depth == 0:
        return False
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        made = binding.value if binding is not None else None
        return made is not None and is_mask(model, made, depth - 1)
    if isinstance(node, cst.BinaryOperation):
        if isinstance(node.operator, (cst.BitAnd, cst.BitOr, cst.BitXor)):
            return is_mask(model, node.left, depth - 1) and is_mask(model, node.right, depth - 1)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert):
        return is_mask(model, node.expression, depth - 1)
    return isinstance(node, cst.Call) and model.names.one(node.func) in _COMPARING


def _of_operands(
    model: SemanticModel, left: cst.BaseExpression, right: cst.BaseExpression, depth: int
) -> cst.BaseExpression | None:
    """An operation of such a tensor with a scalar, or with another such tensor."""
    sources = [dynamic_source(model, side, depth) for side in (left, right)]
    if sources[0] is not None and sources[1] is not None:
        return sources[0]
    for source, other in ((sources[0], right), (sources[1], left)):
        value = model.value(other)
        if source is not None and (value.is_python_scalar or value.shape == ()):
            return source
    return None
