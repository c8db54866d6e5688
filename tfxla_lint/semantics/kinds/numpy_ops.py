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
#: The same of the methods of generators, and the dtype of what they draw.
_METHODS = {
    "random": (0, "float64"), "random_sample": (0, "float64"), "uniform": (2, "float64"),
    "normal": (2, "float64"), "standard_normal": (0, "float64"), "exponential": (1, "float64"),
    "integers": (2, "int64"), "randint": (2, None),
}  # fmt: skip
#: Where some of them take a dtype.
_DTYPES = {"random": (1, "dtype"), "standard_normal": (1, "dtype"), "integers": (3, "dtype")}
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
        # Without a size it gives a number.
        return (written(size), None if is_whole else "float64") if size is not None else None
    if name in _COPIES and given.at(1, "dtype") is None and arguments:
        first = arguments[0][1]
        return shape_of(first), _of_numbers(first)
    return None


def drawn(name: str, arguments: Arguments) -> Value:
    """The array that a method of a random generator gives for arguments."""
    given = Given(arguments)
    if not given.is_clear:
        return Value(Kind.NDARRAY)
    if name in ("rand", "randn"):
        known = made(f"numpy.random.{name}", arguments, None)
    elif name in _METHODS and given.at(*_DTYPES.get(name, (99, "dtype"))) is None:
        position, dtype = _METHODS[name]
        size = given.at(position, "size")
        # Without a size it gives a number.
        known = (written(size), dtype) if size is not None else None
    elif name == "choice" and arguments:
        size, first = given.at(1, "size"), arguments[0][1]
        dtype = "int64" if first.kind is Kind.INT else first.dtype
        known = (written(size), dtype) if size is not None else None
    else:
        known = None
    shape, dtype = known or (None, None)
    return Value(Kind.NDARRAY, shape=shape, dtype=dtype)


def _of_numbers(value: Value) -> str | None:
    """The dtype that NumPy gives a list of Python numbers."""
    while value.kind in (Kind.LIST, Kind.TUPLE) and value.item is not None:
        value = value.item
    if value.kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR):
        return value.dtype
    return {Kind.INT: "int64", Kind.FLOAT: "float64", Kind.BOOL: "bool"}.get(value.kind)
