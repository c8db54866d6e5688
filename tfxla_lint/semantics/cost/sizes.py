"""How large what is computed is, and how long kernels take for that.

A dimension that is not known is taken to lie within what is usual, so that a range comes of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import libcst as cst

from tfxla_lint.knowledge import prices
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.cost.amounts import NOTHING, Amount, exactly

#: The dimensions of a tensor; None where not even their number is known.
Dims: TypeAlias = "tuple[Amount, ...] | None"

#: What is usual of a batch, of the other dimensions of rows, of the sides of pictures, of the length
#: of sequences, and of the elements of a tensor of which nothing is known.
BATCH = Amount(1, 32, 128)
WIDTH = Amount(2, 48, 512)
SIDE = Amount(8, 28, 128)
LENGTH = Amount(5, 20, 100)
ELEMENTS = Amount(1, 256, 8192)

#: A gradient takes a product with each factor, on top of the product itself.
_TAPED = 3.0
#: How many products a step of a recurrent layer makes of each unit.
_GATES = {"LSTM": 4, "GRU": 3}
_PICTURES = 4


def dims_of(shape: Sequence[Any] | None) -> Dims:
    """The dimensions of a shape as the evaluator knows it."""
    if shape is None or Ellipsis in shape:
        return None
    usual = (BATCH, *(SIDE if len(shape) == _PICTURES and i < 2 else WIDTH for i in range(9)))
    return tuple(
        exactly(size) if type(size) is int else usual[min(place, 9)]
        for place, size in enumerate(shape)
    )


def elements(dims: Dims) -> Amount:
    """How many numbers a tensor holds."""
    return ELEMENTS if dims is None else _product(dims)


def _product(amounts: Iterable[Amount]) -> Amount:
    product = exactly(1.0)
    for amount in amounts:
        product *= amount
    return product


def moved(dims: Dims, *, taped: bool) -> Amount:
    """What an op takes that goes once through a tensor of these dimensions."""
    return elements(dims) * ((_TAPED if taped else 1.0) / prices.figure("kernels", "elementwise"))


def multiplied(rows: Amount, inner: Amount, columns: Amount, *, taped: bool) -> Amount:
    """What a product of matrices takes."""
    return _worked(rows * inner * columns * 2.0, "matmul", taped=taped)


def _worked(work: Amount, kernel: str, *, taped: bool) -> Amount:
    """What so many multiplications and additions take, with those of the gradients if `taped`."""
    rate = prices.figure("kernels", f"{kernel}_taped" if taped else kernel)
    return work * ((_TAPED if taped else 1.0) / rate)


class Given:
    """The numbers that a layer is made with."""

    def __init__(self, model: Answers, made: cst.Call | None) -> None:
        self._model = model
        self._made = made

    def numbers(self, name: str, position: int) -> list[int] | None:
        """The numbers of an argument: one, or those of a tuple."""
        node = argument(self._made, name, position) if self._made is not None else None
        if node is None:
            return None
        value = self._model.value(node)
        found = [value.constant] if value.elements is None else [e.constant for e in value.elements]
        # What is not positive is a number that says "as it comes" (-1 of a target shape), or no layer
        # is made with it.
        return found if found and all(type(each) is int and each > 0 for each in found) else None

    def number(self, name: str, position: int, otherwise: Amount = WIDTH) -> Amount:
        """The number of an argument, what is usual where it is not known."""
        found = self.numbers(name, position)
        return exactly(found[0]) if found is not None else otherwise

    def pair(self, name: str, position: int, otherwise: int) -> Amount:
        """The product of an argument that says two numbers, or one for both."""
        found = self.numbers(name, position) or [otherwise]
        return exactly(math.prod(found) if len(found) > 1 else found[0] ** 2)

    def says(self, name: str) -> bool:
        """Whether an argument is given, and is not False or None."""
        node = argument(self._made, name, 99) if self._made is not None else None
        return node is not None and self._model.value(node).constant not in (False, None)


def through(name: str, given: Given, dims: Dims, *, taped: bool) -> tuple[Amount, Dims, Amount]:
    """What the kernels of a layer take, the dimensions that come out of it, and its steps in time."""
    rows = dims[0] if dims else BATCH
    last = dims[-1] if dims else WIDTH
    if name == "Dense":
        units = given.number("units", 0)
        count = _product(dims[:-1]) if dims else BATCH
        out = (*dims[:-1], units) if dims else (BATCH, units)
        return multiplied(count, last, units, taped=taped), out, NOTHING
    if "Conv" in name and name.endswith(("D", "Transpose")):
        return (*_convolved(name, given, dims, taped=taped), NOTHING)
    if "Pooling" in name:
        return moved(dims, taped=taped), _pooled(name, given, dims), NOTHING
    if name == "Flatten":
        return NOTHING, (rows, _product(dims[1:])) if dims else None, NOTHING
    if name == "Reshape":
        shape = given.numbers("target_shape", 0)
        return NOTHING, (rows, *map(exactly, shape)) if shape else None, NOTHING
    if name == "Embedding":
        out = (*(dims or (BATCH, LENGTH)), given.number("output_dim", 1))
        return moved(out, taped=taped), out, NOTHING
    if "eager_step" in (prices.price("layers", name) or ()):
        return _recurrent(_GATES.get(name, 1), given, dims, taped=taped)
    if name == "MultiHeadAttention":
        width = given.number("num_heads", 0) * given.number("key_dim", 1)
        length = dims[1] if dims and len(dims) > 2 else LENGTH
        projected = multiplied(rows * length, last, width * 4.0, taped=taped)
        return (
            projected + multiplied(rows * length, length, width * 2.0, taped=taped),
            dims,
            NOTHING,
        )
    return moved(dims, taped=taped), dims, NOTHING


def _recurrent(gates: int, given: Given, dims: Dims, *, taped: bool) -> tuple[Amount, Dims, Amount]:
    is_known = dims is not None and len(dims) == 3
    rows, length, width = dims if dims is not None and is_known else (BATCH, LENGTH, WIDTH)
    units = given.number("units", 0)
    work = multiplied(rows * length, width + units, units * float(gates), taped=taped)
    out = (rows, length, units) if given.says("return_sequences") else (rows, units)
    return work, out, length


def _convolved(name: str, given: Given, dims: Dims, *, taped: bool) -> tuple[Amount, Dims]:
    """Of one or two dimensions of space; channels last."""
    flat = "1D" in name
    if dims is None or len(dims) < 3:
        dims = (BATCH, LENGTH, WIDTH) if flat else (BATCH, SIDE, SIDE, WIDTH)
    rows, *space, channels = dims
    depth = "Depthwise" in name
    filters = channels if depth else given.number("filters", 0)
    size = (
        given.number("kernel_size", 1, exactly(3))
        if flat
        else given.pair("kernel_size", 1 - depth, 3)
    )
    stride = 1.0 / (given.numbers("strides", 2 - depth) or [1])[0]
    space = [each * (1 / stride if "Transpose" in name else stride) for each in space]
    inner = size if depth or "Separable" in name else size * channels
    work = _product([rows, *space]) * inner * filters * 2.0
    each = exactly(prices.figure("kernels", "conv_each_taped" if taped else "conv_each"))
    return each + _worked(work, "conv", taped=taped), (rows, *space, filters)


def _pooled(name: str, given: Given, dims: Dims) -> Dims:
    if dims is None or len(dims) < 3:
        return None
    if "Global" in name:
        return (dims[0], dims[-1])
    by = 1.0 / (given.numbers("pool_size", 0) or [2])[0]
    return (dims[0], *(each * by for each in dims[1:-1]), dims[-1])
