"""Shapes and dtypes of tensors and NumPy arrays, as far as calls write them out."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Dtype, Effect, Trait
from tfxla_lint.knowledge.dtypes import dtype_named
from tfxla_lint.semantics import api
from tfxla_lint.semantics.kinds import numpy_ops, tensor_ops
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.values import (
    FLOAT,
    INT,
    NDARRAY,
    NUMBERS,
    STRING,
    UNKNOWN,
    Arguments,
    Kind,
    Value,
    list_of,
)

_KEEPS = behaviour.keeping_shape()


def _argument(node: cst.Call, name: str, position: int | None) -> cst.BaseExpression | None:
    plain = [a.value for a in node.args if a.keyword is None and not a.star]
    if position is not None and position < len(plain):
        return plain[position]
    return next((a.value for a in node.args if a.keyword and a.keyword.value == name), None)


def dtype_of(node: cst.Call, name: str) -> str | None:
    """The dtype that a call writes out (`tf.float32`, `np.float32`, "float32")."""
    given = _given_dtype(node, name)
    if given is None:
        return None
    if isinstance(given, cst.SimpleString):
        written = given.value.strip("\"'")
    else:
        written = (dotted(given) or "").rpartition(".")[2]
    return dtype_named(written)


def _given_dtype(node: cst.Call, name: str) -> cst.BaseExpression | None:
    return _argument(node, *behaviour.places("dtype").get(name, ("dtype", None)))


def _shape_of(name: str, arguments: Arguments) -> tuple[Any, ...] | None:
    if name in behaviour.places("shape"):
        keyword, position = behaviour.places("shape")[name]
        given = tensor_ops.Given(arguments).at(position, keyword)
        if given is not None and given.elements is not None:
            return tuple(
                e.constant if type(e.constant) is int and e.constant >= 0 else None
                for e in given.elements
            )
        return (given.constant,) if given is not None and type(given.constant) is int else None
    if name in ("tensorflow.expand_dims", "numpy.expand_dims"):
        axis = next((v for k, v in arguments if k == "axis"), None)
        plain = [v for k, v in arguments if k is None]
        axis = axis if axis is not None else plain[1] if len(plain) > 1 else None
        axes = [each.constant for each in (axis.elements or (axis,))] if axis is not None else []
        if not any(type(each) is int and each == 0 for each in axes):
            return None
        inner = plain[0].shape if plain and len(axes) == 1 else None
        return (1, *(inner if inner is not None else (...,)))
    if name in _KEEPS and arguments and all(key != "shape" for key, _ in arguments):
        first = arguments[0][1]
        if first.kind is Kind.LIST and first.shape is not None and first.elements is None:
            return (*first.shape, ...)
        if first.kind is Kind.LIST and first.elements is not None:
            inner = first.item.shape if first.item is not None else None
            scalars = all(e.is_python_scalar for e in first.elements)
            return (len(first.elements), *(() if scalars else inner or (...,)))
        if first.is_python_scalar:
            return ()
        return first.shape if not first.mixed else None
    if name.startswith("tensorflow.reduce_") and len(arguments) == 1:
        return ()
    return None


def tensor_result(
    name: str, node: cst.Call, arguments: Arguments, kind: Kind = Kind.TENSOR
) -> Value:
    """The tensor that a TensorFlow function gives."""
    shape, inferred = tensor_ops.result(name, arguments)
    shape = shape if shape is not None else _shape_of(name, arguments)
    dtype = dtype_of(node, name)
    if dtype is None and inferred is not None:
        dtype = inferred
    elif dtype is None:
        told = behaviour.of(name).dtype
        if told is Dtype.FLOAT32 and _given_dtype(node, name) is None:
            dtype = told.value
        elif _given_dtype(node, name) is not None:
            dtype = None
        elif name in ("tensorflow.constant", "tensorflow.Variable") and arguments:
            dtype = _python_dtype(arguments[0][1])
        elif arguments and name not in (
            "tensorflow.argmax",
            "tensorflow.argmin",
            "tensorflow.where",
        ):
            first = arguments[0][1]
            dtype = first.dtype if first.is_tensor and name in _KEEPS else None
    return Value(kind, dtype=dtype, shape=shape)


def _python_dtype(value: Value) -> str | None:
    """The dtype that TensorFlow gives a Python number or list of numbers."""
    while value.kind in (Kind.LIST, Kind.TUPLE) and value.item is not None:
        value = value.item
    if value.kind in (Kind.TENSOR, Kind.NDARRAY):
        return value.dtype
    return {Kind.INT: "int32", Kind.FLOAT: "float32", Kind.BOOL: "bool"}.get(value.kind)


_SCALARS = behaviour.names(Trait.MAKES_NUMBER)
_NUMPY_NUMBERS = behaviour.names(Trait.DRAWS_NUMBER)
_CLOCKS = behaviour.names(Effect.CLOCK)


def call(name: str, node: cst.Call, arguments: Arguments, around: cst.CSTNode | None) -> Value:
    """What a function of `numpy`, `math`, `random` or `time` gives; `around` is the loop nearest
    around the call, from turn to turn of which draws and times change."""
    loop = next((value.loop for _, value in arguments if value.loop), None)
    if name.startswith("math."):
        kind = Kind.INT if name in ("math.ceil", "math.floor") else Kind.FLOAT
        return Value(kind, loop=loop)
    if name.startswith(("time.", "random.")):
        found = _time(name) if name.startswith("time.") else _draw(name, arguments)
        return numpy_ops.number(found.kind, around) if found.kind in NUMBERS else found
    drawn = numpy_ops.draws_number(name.removeprefix("numpy.random."), arguments)
    if name.startswith("numpy.random.") and drawn is not None:
        return numpy_ops.number(drawn, around)
    return _numpy(name, node, arguments)


def _time(name: str) -> Value:
    return FLOAT if name in _CLOCKS else STRING


def _draw(name: str, arguments: Arguments) -> Value:
    """What a function of the module `random` gives."""
    if name in ("random.randint", "random.randrange"):
        return INT
    if name in ("random.sample", "random.choices"):
        return list_of(arguments[0][1].item or UNKNOWN) if arguments else UNKNOWN
    if name == "random.choice":
        return (arguments[0][1].item or UNKNOWN) if arguments else UNKNOWN
    return Value(api.kind_of(behaviour.of(name)))


def _numpy(name: str, node: cst.Call, arguments: Arguments) -> Value:
    if name in behaviour.names(Trait.CASTS):
        cast = name.rpartition(".")[2]
        first = arguments[0][1] if arguments else UNKNOWN
        if first.is_python_scalar:
            return Value(Kind.NUMPY_SCALAR, dtype=cast)
        return Value(Kind.NDARRAY, dtype=cast, shape=first.shape)
    if name in ("numpy.random.RandomState", "numpy.random.default_rng"):
        return Value(Kind.OBJECT, name=name)
    if name in ("numpy.random.seed", "numpy.random.shuffle", "numpy.save", "numpy.savez"):
        return Value(Kind.NONE, constant=None)
    if name in ("numpy.load", "numpy.vectorize", "numpy.errstate", "numpy.finfo", "numpy.iinfo"):
        return UNKNOWN
    if name in _SCALARS:
        keywords = {key for key, _ in arguments}
        reduced = "axis" in keywords or len(arguments) > 1
        return NDARRAY if reduced else Value(Kind.NUMPY_SCALAR)
    if name in _NUMPY_NUMBERS and not arguments:
        return Value(Kind.NUMPY_SCALAR)
    if name in ("numpy.meshgrid", "numpy.split", "numpy.array_split"):
        return list_of(NDARRAY)
    if name == "numpy.where" and len(arguments) == 1:
        return list_of(NDARRAY)
    if name in ("numpy.allclose", "numpy.array_equal", "numpy.isscalar"):
        return Value(Kind.BOOL)
    if name == "numpy.unique" and len(arguments) > 1:
        return UNKNOWN
    if name.startswith(
        ("numpy.testing", "numpy.linalg.svd", "numpy.linalg.eig", "numpy.linalg.qr")
    ):
        return UNKNOWN
    dtype = dtype_of(node, name)
    known = numpy_ops.made(name, arguments, dtype)
    shape, dtype = known or (None, dtype)
    if shape is None:
        shape = _shape_of(name, arguments)
    if shape is None:
        shape = tensor_ops.array_shape(name, arguments)
    mark = numpy_ops.whole(name.removeprefix("numpy.random."))
    return Value(Kind.NDARRAY, dtype=dtype, shape=shape, name=mark)
