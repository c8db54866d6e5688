"""What goes wrong under XLA with tensors whose leading dimension depends on data.

Most uses are right (sums, means, `v[:k]`, `tf.concat`, a gradient): these are the ones that are
not, each seen on TensorFlow 2.21.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.xla.dynamic_shapes import (
    dynamic_size,
    dynamic_source,
    is_flat,
    is_halved_size,
)

_TF = "tensorflow."
_Source = cst.BaseExpression


@dataclass(frozen=True, slots=True)
class DynamicUse:
    """A use of something of such a shape; `source` made it, `outcome` ends "..., and under XLA"."""

    node: cst.CSTNode
    source: _Source
    outcome: str


def dynamic_uses(model: SemanticModel, unit: Unit) -> Iterator[DynamicUse]:
    """The uses in a compiled unit that fail, crash the process or are silently wrong."""
    for node in unit.nodes(into_scopes=False):
        found = None
        if isinstance(node, cst.Subscript):
            found = _subscript(model, node)
        elif isinstance(node, cst.Call):
            found = _call(model, node)
        if found is not None and surely_runs(model, node):
            yield found


def _subscript(model: SemanticModel, node: cst.Subscript) -> DynamicUse | None:
    outcome = _indexed(model, node.slice[0].slice)
    if outcome is None:
        return None
    source = dynamic_source(model, node.value)
    return DynamicUse(node, source, outcome) if source is not None else None


def _indexed(model: SemanticModel, part: cst.BaseSlice) -> str | None:
    if isinstance(part, cst.Index):
        if _is_negative(model, part.value):
            return "counts back from the largest possible size, not from the true end"
        return None
    if not isinstance(part, cst.Slice):
        return None
    step = model.value(part.step).constant if part.step is not None else 1
    if type(step) is int and step != 1:
        return "fails: XLA has no slices with a stride along a dimension of dynamic size"
    if part.lower is not None and _is_negative(model, part.lower):
        return "counts back from the largest possible size, not from the true end"
    return None


def _is_negative(model: SemanticModel, node: cst.BaseExpression) -> bool:
    constant = model.value(node).constant
    return type(constant) is int and constant < 0


def _call(model: SemanticModel, node: cst.Call) -> DynamicUse | None:
    name = model.names.one(node.func)
    judge = _JUDGES.get(name.removeprefix(_TF)) if name and name.startswith(_TF) else None
    found = judge(model, node) if judge is not None and node.args else None
    return DynamicUse(node, *found) if found is not None else None


_Judge = Callable[[SemanticModel, cst.Call], "tuple[_Source, str] | None"]


def _along_rows(name: str, position: int, default: int, outcome: str) -> _Judge:
    """Judges a function that goes wrong along the leading dimension of its first argument.

    `name`, `position` and `default` are those of its axis.
    """

    def judge(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
        axis = argument(node, name, position)
        chosen = model.value(axis).constant if axis is not None else default
        source = dynamic_source(model, node.args[0].value) if chosen == 0 else None
        return (source, outcome) if source is not None else None

    return judge


def _sized(name: str, position: int, outcome: str) -> _Judge:
    """Judges a function that goes wrong when an argument is the size of such a tensor."""

    def judge(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
        given = argument(node, name, position)
        for part in _members(given):
            source = dynamic_size(model, part)
            if source is not None:
                return source, outcome
        return None

    return judge


def _halved(name: str, position: int) -> _Judge:
    """Judges a function that needs a constant size and is given a divided one."""

    def judge(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
        for part in _members(argument(node, name, position)):
            source = is_halved_size(model, part)
            if source is not None:
                return source, "fails: the size must be a compile-time constant"
        return None

    return judge


def _members(node: cst.BaseExpression | None) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.List, cst.Tuple)):
        return [element.value for element in node.elements]
    return [node] if node is not None else []


def _diagonal(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
    source = dynamic_source(model, node.args[0].value)
    if source is None or not is_flat(model, source):
        return None
    return source, "has rows and columns for the largest possible size"


def _tiled(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
    """`tf.tile(x, [tf.size(v)])` is right where `x` has one row, wrong where it has more."""
    multiples = _members(argument(node, "multiples", 1))
    shape = model.value(node.args[0].value).shape
    if len(multiples) != 1 or not shape or type(shape[0]) is not int or shape[0] < 2:
        return None
    source = dynamic_size(model, multiples[0])
    return (source, "repeats the largest possible size") if source is not None else None


def _anywhere(outcome: str) -> _Judge:
    """Judges a function that goes wrong with any such tensor."""

    def judge(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
        source = dynamic_source(model, node.args[0].value)
        return (source, outcome) if source is not None else None

    return judge


def _ones(model: SemanticModel, node: cst.Call) -> tuple[_Source, str] | None:
    """`tf.ones_like(v)` has too many ones; that shows where they are counted or returned."""
    parent = model.parent(node)
    if isinstance(parent, cst.Arg):
        call = model.parent(parent)
        if not isinstance(call, cst.Call) or len(call.args) != 1:
            return None
        if model.names.one(call.func) not in (_TF + "reduce_sum", _TF + "size", _TF + "shape"):
            return None
    elif not isinstance(parent, cst.Return):
        return None
    source = dynamic_source(model, node.args[0].value)
    return (source, "has ones for the largest possible size") if source is not None else None


_CRASH = "crashes the process"
_FFT = "fails: XLA has no Fourier transform of a dynamic size"
_WRONG_SIZE = "takes the largest possible size for the true one"
_CONSTANT = "fails: it must be a compile-time constant"

_JUDGES: dict[str, _Judge] = {
    "roll": _along_rows("axis", 2, 0, "rolls over the largest possible size, not the true one"),
    "cumsum": _along_rows("axis", 1, 0, _CRASH),
    "math.cumsum": _along_rows("axis", 1, 0, _CRASH),
    "math.cumprod": _along_rows("axis", 1, 0, _CRASH),
    "math.cumulative_logsumexp": _along_rows("axis", 1, 0, _CRASH),
    "split": _along_rows("axis", 2, 0, "fails: XLA cannot split a dimension of dynamic size"),
    "linalg.diag": _diagonal,
    "ones_like": _ones,
    "signal.fft": _anywhere(_FFT),
    "signal.rfft": _anywhere(_FFT),
    "math.bincount": _anywhere("fails: the number of bins must be a compile-time constant"),
    "eye": _sized("num_rows", 0, _WRONG_SIZE),
    "tile": _tiled,
    "linspace": _sized("num", 2, _CONSTANT),
    "one_hot": _sized("depth", 1, _CONSTANT),
    "zeros": _halved("shape", 0),
    "ones": _halved("shape", 0),
    "fill": _halved("dims", 0),
    "random.uniform": _halved("shape", 0),
    "random.normal": _halved("shape", 0),
    "range": _halved("start", 0),
    "reshape": _halved("shape", 1),
}
