"""Shapes and dtypes of the arrays that NumPy's constructors and generators make."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.shapes import Shape, written
from tfxla_lint.semantics.kinds.tensor_ops import Given, shape_of
from tfxla_lint.semantics.values import DRAWN, Arguments, Kind, Value

_CONSTRUCTORS = frozenset({"numpy.zeros", "numpy.ones", "numpy.empty"})
_BY_SIZES = frozenset({"numpy.random.rand", "numpy.random.randn"})
#: Functions that draw, with the position of `size`; the same are methods of generators.
_BY_SIZE = {
    name.removeprefix("numpy.random."): position
    for name, (_, position) in behaviour.places("size").items()
}
_METHODS = {**_BY_SIZE, "integers": 2}
#: What they draw, where it is not float64.
_DRAWN = {"integers": "int64", "randint": None}
#: Where some methods take a dtype.
_DTYPES = {"random": (1, "dtype"), "standard_normal": (1, "dtype"), "integers": (3, "dtype")}
#: Draws that give one of Python's own numbers where no size is given: with as many arguments.
_FLOATS = {
    "rand": 0, "randn": 0, "random": 0, "random_sample": 0, "uniform": 2, "normal": 2,
    "standard_normal": 0, "exponential": 1,
}  # fmt: skip
#: What marks an array of whole numbers of the size that the platform has.
WHOLE = "numpy.int_"
_COPIES = behaviour.keeping_shape() - behaviour.names(Trait.CASTS)


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
    draw = name.removeprefix("numpy.random.")
    if draw != name and draw in _BY_SIZE:
        return _sized(given, _BY_SIZE[draw], _DRAWN.get(draw, "float64"))
    if name in _COPIES and given.at(1, "dtype") is None and arguments:
        first = arguments[0][1]
        return shape_of(first), _of_numbers(first)
    return None


def draws_number(name: str, arguments: Arguments) -> Kind | None:
    """The kind of Python number that a draw gives, None where it may give an array.

    `Generator.integers` and `choice` give NumPy's own scalars.
    """
    most = 2 if name == "randint" else _FLOATS.get(name)
    if most is None or len(arguments) > most:
        return None
    if not all(k not in ("*", "**", "size") and v.is_python_scalar for k, v in arguments):
        return None
    return Kind.INT if name == "randint" else Kind.FLOAT


def number(kind: Kind, around: cst.CSTNode | None) -> Value:
    """A number that is drawn anew on each turn of the loop `around`, or by each run."""
    return Value(kind, loop=around, name=DRAWN if around is None else None)


def drawn(name: str, arguments: Arguments, around: cst.CSTNode | None) -> Value:
    """What a method of a random generator gives, in the loop `around`."""
    kind = draws_number(name, arguments)
    if kind is not None:
        return number(kind, around)
    given = Given(arguments)
    if not given.is_clear:
        return Value(Kind.NDARRAY)
    if name in ("rand", "randn"):
        known = made(f"numpy.random.{name}", arguments, None)
    elif name in _METHODS and given.at(*_DTYPES.get(name, (99, "dtype"))) is None:
        known = _sized(given, _METHODS[name], _DRAWN.get(name, "float64"))
    elif name == "choice" and arguments:
        first = arguments[0][1]
        known = _sized(given, 1, "int64" if first.kind is Kind.INT else first.dtype)
    else:
        known = None
    shape, dtype = known or (None, None)
    return Value(Kind.NDARRAY, shape=shape, dtype=dtype, name=whole(name))


def whole(name: str) -> str | None:
    """The mark of what a draw gives, where that is whole numbers of the platform's size."""
    return WHOLE if name == "randint" else None


def _sized(given: Given, position: int, dtype: str | None) -> tuple[Shape, str | None] | None:
    """What a draw of a `size` gives; without one it gives a number."""
    size = given.at(position, "size")
    return (written(size), dtype) if size is not None else None


def _of_numbers(value: Value) -> str | None:
    """The dtype that NumPy gives a list of Python numbers."""
    while value.kind in (Kind.LIST, Kind.TUPLE) and value.item is not None:
        value = value.item
    if value.kind in (Kind.NDARRAY, Kind.NUMPY_SCALAR):
        return value.dtype
    return {Kind.INT: "int64", Kind.FLOAT: "float64", Kind.BOOL: "bool"}.get(value.kind)
