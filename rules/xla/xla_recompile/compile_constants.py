"""Tensors that XLA has to know while compiling: each value that they take is compiled anew.

Sizes, axes, the ends of slices, depths and counts are such; TensorFlow computes them from the
arguments before it compiles, and makes the arguments part of the compiled function's key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import libcst as cst

from tfxla_lint.knowledge import symbols, xla
from tfxla_lint.semantics.call_arguments import argument, by_parameter
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.data_sources import DataSource, compiled_source
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind
from tfxla_lint.semantics.xla.dynamic_shapes import is_mask

_TF = "tensorflow."
#: Arguments that must be constant only because another is missing: endpoint -> (it, the other).
_WITHOUT = {
    _TF + "sequence_mask": ("lengths", "maxlen"),
    _TF + "math.confusion_matrix": ("labels", "num_classes"),
    _TF + "math.bincount": ("arr", "maxlength"),
}
#: Parameters that take data: they decide a size only in some forms of their function.
_DATA = frozenset(
    {"a", "arr", "boxes", "ids", "labels", "lengths", "mask_indices", "predictions", "r", "scores",
     "seed", "segment_ids", "seq_length", "sp_input", "splits", "st_input"}
)  # fmt: skip
_INDEX = "an index"
_CONTENT = "what decides the size"
_ARRAY, _ARRAY_SIZE = _TF + "TensorArray", ("size", 1)


@dataclass(frozen=True, slots=True)
class CompileConstant:
    """An expression that must be constant, and the argument or variable that it comes from.

    `role` says what it is used as; `indexed` is the subscript of which it is the only index.
    """

    node: cst.BaseExpression
    role: str
    source: DataSource
    indexed: cst.Subscript | None = None


def constants_by_source(model: SemanticModel, unit: Unit) -> list[list[CompileConstant]]:
    """The constants of a compiled unit, those of one argument or variable together."""
    groups: dict[tuple[object, bool], list[CompileConstant]] = {}
    for constant in compile_constants(model, unit):
        source = constant.source
        name = model.code(source.node)
        cause = id(source.parameter.node) if source.parameter is not None else name
        groups.setdefault((cause, source.is_direct), []).append(constant)
    return list(groups.values())


def compile_constants(model: SemanticModel, unit: Unit) -> Iterator[CompileConstant]:
    """The tensors in a compiled unit that XLA needs to know, once for each place."""
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.Subscript):
            needed = _of_subscript(model, node)
        elif isinstance(node, cst.Call):
            needed = _of_call(model, node)
        else:
            continue
        for expression, role in needed:
            source = compiled_source(model, expression)
            if source is not None and surely_runs(model, node):
                indexed = node if isinstance(node, cst.Subscript) and role == _INDEX else None
                if role.startswith(_CONTENT):
                    source = replace(source, is_direct=False)
                yield CompileConstant(expression, role, source, indexed)
                break


def _of_subscript(
    model: SemanticModel, node: cst.Subscript
) -> Iterator[tuple[cst.BaseExpression, str]]:
    kind = model.value(node.value).kind
    if kind not in (Kind.TENSOR, Kind.VARIABLE, Kind.UNKNOWN):
        return
    for element in node.slice:
        part = element.slice
        if isinstance(part, cst.Slice):
            for bound in (part.lower, part.upper, part.step):
                if bound is not None:
                    yield bound, "an end of a slice"
        elif isinstance(part, cst.Index) and not is_mask(model, part.value):
            yield part.value, _INDEX if len(node.slice) == 1 else "one of several indices"


def _of_call(model: SemanticModel, node: cst.Call) -> Iterator[tuple[cst.BaseExpression, str]]:
    name = model.names.one(node.func)
    if name is None or not name.startswith(_TF):
        return
    if name == _ARRAY:
        size = argument(node, *_ARRAY_SIZE)
        if size is not None:
            yield size, "the size of a `TensorArray`"
        return
    verdict = xla.verdict(name, model.tf_version)
    symbol = symbols.find(name, model.tf_version)
    if verdict is None or symbol is None or not verdict.const_args:
        return
    given = by_parameter(node, symbol)
    names = {name, symbol.canonical}
    conditional = next((_WITHOUT[n] for n in names if n in _WITHOUT), None)
    if name == _TF + "range":
        yield from ((bound, "a bound of `tf.range`") for bound in given.values())
        return
    for parameter in verdict.const_args:
        if parameter not in given:
            continue
        shown = f"`tf.{name.removeprefix(_TF)}`"
        if parameter not in _DATA:
            yield given[parameter], f"`{parameter}` of {shown}"
        elif conditional is not None and conditional[0] == parameter:
            if conditional[1] not in given:
                yield given[parameter], f"{_CONTENT} of {shown}, for want of `{conditional[1]}`"
