"""Shapes and dtypes of the arrays that NumPy's constructors and generators make."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.kinds.shapes import Shape, written
from tfxla_lint.semantics.kinds.tensor_ops import Given, shape_of
from tfxla_lint.semantics.values import ARRAYS, DRAWN, Arguments, Kind, Value

_BY_SIZES = frozenset({"numpy.random.rand", "numpy.random.randn"})
#: Functions that draw, with the position of `size`; the same are methods of generators.
_BY_SIZE = behaviour.positions("numpy.random", "size")
_GENERATOR = "numpy.random.Generator."
_METHODS = {**_BY_SIZE, **behaviour.positions("numpy.random.Generator", "size")}
#: What marks an array of whole numbers of the size that the platform has.
WHOLE = "numpy.int_"
_COPIES = behaviour.keeping_shape() - behaviour.names(Trait.CASTS)


def made(name: str, arguments: Arguments, dtype: str | None) -> tuple[Shape, str | None] | None:
    """The shape and dtype of a new array; `dtype` is what the call writes out. None: not known."""
    given = Given(arguments)
    row = behaviour.of(name)
    if not given.is_clear:
        return None
    if row.result == "ndarray" and row.dtype is not None:
        is_given = given.at(1, "dtype") is not None
        return written(given.at(0, "shape")), dtype if is_given else row.dtype.value
    if name in _BY_SIZES:
        sizes = [value.constant for _, value in arguments]
        return tuple(s if type(s) is int else None for s in sizes), "float64"
    draw = name.removeprefix("numpy.random.")
    if draw != name and draw in _BY_SIZE:
        return _sized(given, _BY_SIZE[draw], _drawn_dtype(name))
    if name in _COPIES and given.at(1, "dtype") is None and arguments:
        first = arguments[0][1]
        return shape_of(first), _of_numbers(first)
    return None


def draws_number(name: str, arguments: Arguments) -> Kind | None:
    """The kind of Python number that a draw gives, None where it may give an array.

    `Generator.integers` and `choice` give NumPy's own scalars.
    """
    most = 0 if name in ("rand", "randn") else _BY_SIZE.get(name)
    if most is None or len(arguments) > most:
        return None
    if not all(k not in ("*", "**", "size") and v.is_python_scalar for k, v in arguments):
        return None
    return Kind.INT if name == "randint" else Kind.FLOAT


def _drawn_dtype(name: str) -> str | None:
    """The dtype of an array that a function or a method of a generator draws."""
    dtype = behaviour.of(name).dtype
    return dtype.value if dtype is not None else None


def _is_of_usual_dtype(name: str, given: Given) -> bool:
    """Whether a call of a generator's method leaves the dtype as it is."""
    keyword, position = behaviour.places("dtype").get(_GENERATOR + name, ("dtype", 99))
    return given.at(position, keyword) is None


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
    elif name in _METHODS and _is_of_usual_dtype(name, given):
        known = _sized(given, _METHODS[name], _drawn_dtype(_GENERATOR + name))
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
    if value.kind in ARRAYS:
        return value.dtype
    return {Kind.INT: "int64", Kind.FLOAT: "float64", Kind.BOOL: "bool"}.get(value.kind)
