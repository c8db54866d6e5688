"""Shapes and dtypes of the arrays that NumPy's constructors and generators make."""

from __future__ import annotations

from tfxla_lint.semantics.kinds.shapes import Shape, written
from tfxla_lint.semantics.kinds.tensor_ops import Given, shape_of
from tfxla_lint.semantics.values import Arguments, Kind, Value

_CONSTRUCTORS = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty"})
_BY_SIZES = frozenset({"numpy.random.rand", "numpy.random.randn"})
#: Generators, with the position of `size`; their numbers are float64 but for `randint`.
_BY_SIZE = {
    "numpy.random.random": 0, "numpy.random.uniform": 2, "numpy.random.normal": 2,
    "numpy.random.standard_normal": 0, "numpy.random.randint": 2, "numpy.random.exponential": 1,
}  # fmt: skip
_COPIES = frozenset({"numpy.array", "numpy.asarray", "numpy.copy"})


def made(name: str, arguments: Arguments, dtype: str | None) -> tuple[Shape, str | None] | None:
    """The shape and dtype of a new array; `dtype` is what the call writes out. None: not known."""
    given = Given(arguments)
    if not given.is_clear:
        return None
    if name in _CONSTRUCTORS:
        is_given = given.at(1, "dtype") is not None
        return written(given.at(0, "shape")), dtype if is_given else "float64"
    if name in _BY_SIZES:
        sizes = [value.constant for _, value in arguments]
        return tuple(s if type(s) is int else None for s in sizes), "float64"
    if name in _BY_SIZE:
        size = given.at(_BY_SIZE[name], "size")
        is_whole = name == "numpy.random.randint"
        return written(size), None if is_whole else "float64"
    if name in _COPIES and given.at(1, "dtype") is None and arguments:
        first = arguments[0][1]
        shape = shape_of(first)
        return (shape, _of_numbers(first)) if shape is not None and ... not in shape else None
    return None


def _of_numbers(value: Value) -> str | None:
    """The dtype that NumPy gives a list of Python numbers."""
    while value.kind in (Kind.LIST, Kind.TUPLE) and value.item is not None:
        value = value.item
    if value.kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR):
        return value.dtype
    return {Kind.INT: "int64", Kind.FLOAT: "float64", Kind.BOOL: "bool"}.get(value.kind)
