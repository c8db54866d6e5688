"""Shapes and dtypes of tensors and NumPy arrays, as far as calls write them out."""

from __future__ import annotations

from typing import Any

import libcst as cst

from tfxla_lint.knowledge.dtypes import dtype_named
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

_DTYPE_POSITIONS = {
    "tensorflow.cast": 1,
    "tensorflow.constant": 1,
    "tensorflow.convert_to_tensor": 1,
    "tensorflow.zeros": 1,
    "tensorflow.ones": 1,
    "numpy.zeros": 1,
    "numpy.ones": 1,
    "numpy.empty": 1,
    "numpy.array": 1,
    "numpy.asarray": 1,
}
_FLOAT_DEFAULT = frozenset({"tensorflow.zeros", "tensorflow.ones"})
_INT_RESULTS = frozenset({"tensorflow.shape", "tensorflow.size", "tensorflow.rank"})
_SHAPED = {
    "tensorflow.zeros": 0, "tensorflow.ones": 0, "tensorflow.random.normal": 0,
    "tensorflow.random.uniform": 0, "tensorflow.fill": 0, "tensorflow.random.truncated_normal": 0,
    "tensorflow.reshape": 1, "numpy.zeros": 0, "numpy.ones": 0, "numpy.reshape": 1,
    "numpy.full": 0, "numpy.empty": 0,
}  # fmt: skip
_KEEPS = frozenset(
    {"tensorflow.cast", "tensorflow.convert_to_tensor", "tensorflow.constant",
     "tensorflow.identity", "tensorflow.stop_gradient", "tensorflow.nn.relu", "tensorflow.exp",
     "numpy.array", "numpy.asarray", "numpy.copy", "numpy.float32", "tensorflow.Variable",
     "tensorflow.clip_by_value", "tensorflow.nn.softmax", "tensorflow.tanh", "tensorflow.abs",
     "tensorflow.square", "tensorflow.sqrt", "tensorflow.sigmoid"}
)  # fmt: skip


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
    return _argument(node, "dtype", _DTYPE_POSITIONS.get(name))


def _shape_of(name: str, node: cst.Call, arguments: Arguments) -> tuple[Any, ...] | None:
    if name in _SHAPED:
        given = next((v for k, v in arguments if k == "shape"), None)
        plain = [v for k, v in arguments if k is None]
        if given is None and _SHAPED[name] < len(plain):
            given = plain[_SHAPED[name]]
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
        if axis is not None and type(axis.constant) is int and axis.constant == 0:
            inner = plain[0].shape if plain else None
            return (1, *(inner if inner is not None else (...,)))
        return None
    if name in _KEEPS and arguments:
        first = arguments[0][1]
        if first.kind is Kind.LIST and first.shape is not None and first.elements is None:
            return (*first.shape, ...)
        if first.kind is Kind.LIST and first.elements is not None:
            inner = first.item.shape if first.item is not None else None
            scalars = all(e.is_python_scalar for e in first.elements)
            return (len(first.elements), *(() if scalars else inner or (...,)))
        if first.is_python_scalar:
            return ()
        return first.shape
    if name.startswith("tensorflow.reduce_") and len(arguments) == 1:
        return ()
    return None


def tensor_result(
    name: str, node: cst.Call, arguments: Arguments, kind: Kind = Kind.TENSOR
) -> Value:
    """The tensor that a TensorFlow function gives."""
    shape, inferred = tensor_ops.result(name, arguments)
    shape = shape if shape is not None else _shape_of(name, node, arguments)
    dtype = dtype_of(node, name)
    if dtype is None and inferred is not None:
        dtype = inferred
    elif dtype is None:
        if name in _INT_RESULTS:
            dtype = "int32"
        elif name in _FLOAT_DEFAULT and _given_dtype(node, name) is None:
            dtype = "float32"
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


_SCALARS = frozenset(
    {"numpy.mean", "numpy.sum", "numpy.std", "numpy.max", "numpy.min", "numpy.argmax",
     "numpy.argmin", "numpy.prod", "numpy.median", "numpy.var", "numpy.dot"}
)  # fmt: skip
_NUMPY_NUMBERS = frozenset(
    {"numpy.random.rand", "numpy.random.random", "numpy.random.uniform", "numpy.random.normal",
     "numpy.random.randn", "numpy.random.randint", "numpy.random.choice"}
)  # fmt: skip
_CLOCKS = frozenset(
    {"time.time", "time.perf_counter", "time.monotonic", "time.process_time", "time.clock"}
)
_FLOAT_DRAWS = frozenset(
    {"random." + n for n in ("random", "uniform", "gauss", "normalvariate", "triangular",
                             "betavariate", "expovariate", "lognormvariate")}
)  # fmt: skip
_CASTS = {
    "numpy.float32": "float32", "numpy.float64": "float64", "numpy.int32": "int32",
    "numpy.int64": "int64", "numpy.float16": "float16", "numpy.uint8": "uint8",
}  # fmt: skip


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
    return FLOAT if name in _FLOAT_DRAWS else UNKNOWN


def _numpy(name: str, node: cst.Call, arguments: Arguments) -> Value:
    if name in _CASTS:
        first = arguments[0][1] if arguments else UNKNOWN
        if first.is_python_scalar:
            return Value(Kind.NUMPY_SCALAR, dtype=_CASTS[name])
        return Value(Kind.NDARRAY, dtype=_CASTS[name], shape=first.shape)
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
    if name in ("numpy.meshgrid", "numpy.split", "numpy.array_split", "numpy.where"):
        return list_of(NDARRAY) if name != "numpy.where" or len(arguments) == 1 else NDARRAY
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
        shape = _shape_of(name, node, arguments)
    mark = numpy_ops.whole(name.removeprefix("numpy.random."))
    return Value(Kind.NDARRAY, dtype=dtype, shape=shape, name=mark)
