"""What TensorFlow's functions make of shapes and dtypes.

Each rule takes the arguments and gives a shape and a dtype, either of them None where unknown.
Checked against TensorFlow 2.21 by the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Dtype
from tfxla_lint.knowledge.behaviour import Shape as Travel
from tfxla_lint.semantics.kinds import shapes
from tfxla_lint.semantics.kinds.shapes import Shape
from tfxla_lint.semantics.values import NUMBERS, Arguments, Kind, Value, range_length

Spec = tuple[Shape, "str | None"]
_NOTHING: Spec = (None, None)


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a call."""

    arguments: Arguments

    def at(self, position: int | None, *names: str) -> Value | None:
        """The argument at a position or of one of these names."""
        plain = [value for key, value in self.arguments if key is None]
        if position is not None and position < len(plain):
            return plain[position]
        return next((value for key, value in self.arguments if key in names), None)

    @property
    def is_clear(self) -> bool:
        """Whether nothing is unpacked into the call."""
        return all(key not in ("*", "**") for key, _ in self.arguments)


def shape_of(value: Value | None) -> Shape:
    """The shape of an argument as a tensor."""
    if value is None:
        return None
    if value.kind in NUMBERS:
        return ()
    if value.kind in (Kind.LIST, Kind.TUPLE) and value.elements is not None:
        inner = [shape_of(element) for element in value.elements]
        same = bool(inner) and all(shape == inner[0] for shape in inner)
        return (len(inner), *inner[0]) if same and inner[0] is not None else (len(inner), ...)
    # A number beside a tensor has no dimensions either.
    is_of_one = not value.mixed or value.shape == ()
    return value.shape if value.kind in _ARRAYS and is_of_one else None


_ARRAYS = (Kind.TENSOR, Kind.VARIABLE, Kind.NDARRAY, Kind.NUMPY_SCALAR, Kind.KERAS_TENSOR)


def dtype_of(value: Value | None) -> str | None:
    """The dtype of an argument that is a tensor already."""
    return value.dtype if value is not None and value.is_tensor else None


def result(name: str, arguments: Arguments) -> Spec:
    """The shape and dtype that a function of TensorFlow gives, by its canonical name."""
    row = behaviour.of(name)
    is_known = name.startswith("tensorflow.")
    shape, dtype = _travelled(row, Given(arguments)) if is_known else _NOTHING
    told = row.dtype
    return shape, told.value if told in _TOLD else dtype


def array_shape(name: str, arguments: Arguments) -> Shape:
    """The shape that a function of NumPy gives, or that of TensorFlow which computes the same."""
    row = behaviour.of(name)
    if row.shape is None and row.instead is not None:
        row = behaviour.of(row.instead[0])
    return _travelled(row, Given(arguments))[0]


def _travelled(row: behaviour.Behaviour, given: Given) -> Spec:
    return _RULES[row.shape](given) if row.shape is not None and given.is_clear else _NOTHING


def _same(given: Given) -> Spec:
    first = given.at(0, "x", "input", "features", "logits", "tensor", "value", "values", "t")
    return shape_of(first), dtype_of(first)


def _pair(given: Given) -> Spec:
    left, right = given.at(0, "x"), given.at(1, "y")
    return shapes.broadcast(shape_of(left), shape_of(right)), dtype_of(left) or dtype_of(right)


def _matmul(given: Given) -> Spec:
    left, right = given.at(0, "a"), given.at(1, "b")
    if len(given.arguments) > 2:
        return None, dtype_of(left) or dtype_of(right)
    shape = shapes.matmul(shape_of(left), shape_of(right))
    return shape, dtype_of(left) or dtype_of(right)


def _reduced(given: Given) -> Shape:
    first = given.at(0, "input_tensor", "input")
    axis = given.at(1, "axis")
    keep = given.at(2, "keepdims")
    if keep is not None and type(keep.constant) is not bool:
        return None
    axes = shapes.integers(axis)
    if axis is not None and axes is None and axis.kind is not Kind.NONE:
        return None
    is_kept = keep is not None and keep.constant is True
    return shapes.reduce(shape_of(first), axes, is_kept)


def _reduce(given: Given) -> Spec:
    return _reduced(given), dtype_of(given.at(0, "input_tensor"))


def _position(given: Given) -> Spec:
    axis = given.at(1, "axis")
    axes = shapes.integers(axis) if axis is not None else [0]
    if given.at(2, "output_type") is not None or axes is None:
        return None, None
    return shapes.reduce(shape_of(given.at(0, "input")), axes), "int64"


def _concat(given: Given) -> Spec:
    values, at = given.at(0, "values", "arrays"), given.at(1, "axis")
    axis = shapes.integer(at) if at is not None else 0
    if values is None or values.elements is None or axis is None:
        return None, _common_dtype(values)
    parts = [shape_of(element) for element in values.elements]
    return shapes.concat(parts, axis), _common_dtype(values)


def _stack(given: Given) -> Spec:
    values, axis = given.at(0, "values"), given.at(1, "axis")
    at = shapes.integer(axis) if axis is not None else 0
    if values is None or values.elements is None or at is None:
        return None, _common_dtype(values)
    return shapes.stack([shape_of(e) for e in values.elements], at), _common_dtype(values)


def _common_dtype(values: Value | None) -> str | None:
    members = values.elements if values is not None else None
    return next((dtype for e in members or () if (dtype := dtype_of(e))), None)


def _expand(given: Given) -> Spec:
    first, axis = given.at(0, "input"), shapes.integer(given.at(1, "axis"))
    shape = shapes.insert(shape_of(first), axis) if axis is not None else None
    return shape, dtype_of(first)


def _squeeze(given: Given) -> Spec:
    first, axis = given.at(0, "input"), given.at(1, "axis")
    axes = shapes.integers(axis)
    if axis is not None and axes is None:
        return None, dtype_of(first)
    return shapes.squeeze(shape_of(first), axes), dtype_of(first)


def _transpose(given: Given) -> Spec:
    first, order = given.at(0, "a"), given.at(1, "perm")
    perm = shapes.integers(order)
    shape = None if order is not None and perm is None else shape_of(first)
    return shapes.transpose(shape, perm), dtype_of(first)


def _reshape(given: Given) -> Spec:
    first = given.at(0, "tensor")
    sizes = shapes.written(given.at(1, "shape"))
    return shapes.reshape(shape_of(first), sizes), dtype_of(first)


def _one_hot(given: Given) -> Spec:
    inner, depth = shape_of(given.at(0, "indices")), shapes.size(given.at(1, "depth"))
    if inner is None or not shapes.is_ranked(inner) or depth is None:
        return None, None
    if given.at(4, "axis") is not None:
        return None, None
    is_plain = len(given.arguments) == 2
    return (*inner, depth), "float32" if is_plain else None


def _where(given: Given) -> Spec:
    test, x, y = given.at(0, "condition"), given.at(1, "x"), given.at(2, "y")
    if x is None or y is None:
        return _NOTHING
    inner = shapes.broadcast(shape_of(x), shape_of(y))
    return shapes.broadcast(shape_of(test), inner), dtype_of(x) or dtype_of(y)


def _range(given: Given) -> Spec:
    bounds = [value.constant for key, value in given.arguments if key is None]
    if len(bounds) != len(given.arguments) or not all(type(b) is int for b in bounds):
        return (None,), None
    return (range_length(bounds),), "int32"


def _linspace(given: Given) -> Spec:
    number = shapes.size(given.at(2, "num"))
    start = given.at(0, "start")
    if shape_of(start) != ():
        return _NOTHING
    is_float = start is not None and start.kind is Kind.FLOAT
    return (number,), "float32" if is_float else dtype_of(start)


def _eye(given: Given) -> Spec:
    rows = shapes.size(given.at(0, "num_rows"))
    if rows is None or len(given.arguments) != 1:
        return _NOTHING
    return (rows, rows), "float32"


def _like(given: Given) -> Spec:
    first = given.at(0, "input")
    return shape_of(first), dtype_of(first) if len(given.arguments) == 1 else None


def _filled(given: Given) -> Spec:
    return shapes.written(given.at(0, "dims")), dtype_of(given.at(1, "value"))


def _normal(given: Given) -> Spec:
    return shapes.written(given.at(0, "shape")), _written_dtype(given, 3)


def _uniform(given: Given) -> Spec:
    return shapes.written(given.at(0, "shape")), _written_dtype(given, 3)


def _written_dtype(given: Given, position: int) -> str | None:
    """The default, where none is given; what is given is read elsewhere."""
    return "float32" if given.at(position, "dtype") is None else None


def _gather(given: Given) -> Spec:
    params, indices = given.at(0, "params"), shape_of(given.at(1, "indices"))
    shape = shape_of(params)
    is_plain = len(given.arguments) == 2
    if not is_plain or shape is None or indices is None or not shapes.is_ranked(indices):
        return None, dtype_of(params)
    return (*indices, *shape[1:]), dtype_of(params)


def _converted(given: Given) -> Spec:
    first = given.at(0, "value", "initial_value", "x")
    is_shaped = given.at(None, "shape") is not None or given.at(2, "shape") is not None
    shape = None if is_shaped else shape_of(first)
    return shape if shapes.is_ranked(shape) else None, None


def _dtype_only(given: Given) -> Spec:
    return None, dtype_of(given.at(0, "input", "tensor", "x", "value", "values", "a"))


_TOLD = (Dtype.BOOL, Dtype.INT32)

_RULES: dict[Travel, Callable[[Given], Spec]] = {
    Travel.SAME: _same,
    Travel.CONVERTED: _converted,
    Travel.PAIR: _pair,
    Travel.MATMUL: _matmul,
    Travel.REDUCE: _reduce,
    Travel.POSITION: _position,
    Travel.CONCAT: _concat,
    Travel.STACK: _stack,
    Travel.EXPAND: _expand,
    Travel.SQUEEZE: _squeeze,
    Travel.TRANSPOSE: _transpose,
    Travel.RESHAPE: _reshape,
    Travel.ONE_HOT: _one_hot,
    Travel.WHERE: _where,
    Travel.RANGE: _range,
    Travel.LINSPACE: _linspace,
    Travel.EYE: _eye,
    Travel.LIKE: _like,
    Travel.FILLED: _filled,
    Travel.NORMAL: _normal,
    Travel.UNIFORM: _uniform,
    Travel.GATHER: _gather,
    Travel.OTHER: _dtype_only,
}
