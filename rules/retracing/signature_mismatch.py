"""TXL209 signature-mismatch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import libcst as cst

from tfxla_lint.findings import Level
from tfxla_lint.knowledge.dtypes import dtype_named
from tfxla_lint.rule import Evidence, Report, Rule
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.guards import may_be_caught
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.switches import functions_run_eagerly
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.values import NUMBERS, Kind, Value

_SPEC = "tensorflow.TensorSpec"
_ERRORS = frozenset({"TypeError", "ValueError"})
_TENSORS = frozenset({Kind.TENSOR, Kind.VARIABLE})
_SEQUENCES = frozenset({Kind.LIST, Kind.TUPLE})
#: Before, a list passed for a tuple.
_KEEPS_SEQUENCES = (2, 13)


@dataclass(frozen=True, slots=True)
class _Spec:
    """A `tf.TensorSpec` that is written out; None for a shape or dtype that is not known."""

    node: cst.Call
    shape: tuple[Any, ...] | None
    dtype: str | None

    @property
    def text(self) -> str:
        """The spec as messages say it: `float32 [None, 3]`."""
        return _text(self.dtype, self.shape)


class SignatureMismatch(Rule):
    """## What it does
    Finds calls of a function with an `input_signature` that pass a tensor of another dtype, rank or
    size than the signature takes, a NumPy array or Python number that it cannot make a tensor of, or
    a list for a tuple and the other way round.

    Shapes and dtypes count where they are known on every way to the call. What NumPy or Python hands
    over is cast, where that keeps the shape, and is left alone; so are calls that expect the error.

    ## Why is this bad?
    The call raises `TypeError`: a signature casts no tensor and reshapes nothing.

    ## Example
    ```python
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def total(rows):
        return tf.reduce_sum(rows)

    total(tf.ones([3]))
    ```

    ## Use instead
    ```python
    import tensorflow as tf

    @tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
    def total(rows):
        return tf.reduce_sum(rows)

    total(tf.ones([1, 3]))
    ```

    ## References
    - [`tf.function`: input signatures](https://www.tensorflow.org/api_docs/python/tf/function#input_signatures)
    """

    code = "TXL209"
    name = "signature-mismatch"
    summary = "A call passes what the input signature of the function refuses"
    level = Level.WARNING
    needs = ("@imported", ".function")

    def check(self, model: SemanticModel) -> Iterator[Report]:
        """Hold the arguments of each call against the specs of the function."""
        for call in model.nodes(cst.Call) if functions_run_eagerly(model) is None else ():
            edges = [edge for edge in model.calls.at(call) if edge.tracing is not None]
            if len(edges) == 1 and not may_be_caught(model, call, _ERRORS):
                yield from _refused(model, edges[0])


def _refused(model: SemanticModel, edge: Edge) -> Iterator[Report]:
    unit = edge.callee
    parameters = unit.parameters[1:] if unit.is_method else unit.parameters
    for parameter, spec in zip(parameters, _specs(model, edge), strict=False):
        given = edge.argument(parameter.name)
        if given is None:
            continue
        value = model.value(given)
        if isinstance(spec, cst.BaseExpression):
            takes = model.value(spec).kind
            if model.tf_version is not None and model.tf_version < _KEEPS_SEQUENCES:
                continue
            if {takes, value.kind} == _SEQUENCES and not _is_unsure(value):
                message = (
                    f"`{model.code(given)}` is {value.kind.with_article}, and the input signature "
                    f"of `{unit.name}` takes {takes.with_article} for `{parameter.name}`: the call "
                    "raises"
                )
                yield Report(given, message, [Evidence(spec, "declared here")])
            continue
        if not _refuses(spec, value):
            continue
        is_number = value.kind in NUMBERS
        passed = value.kind.with_article if is_number else _text(value.dtype, value.shape)
        message = (
            f"`{model.code(given)}` is {passed}, and the input signature of `{unit.name}` takes "
            f"{spec.text} for `{parameter.name}`: the call raises"
        )
        yield Report(given, message, [Evidence(spec.node, "declared here")])


def _specs(model: SemanticModel, edge: Edge) -> Iterator[_Spec | cst.BaseExpression]:
    """What a signature that is written out takes, in the order of the parameters: a tensor, or what
    another expression says."""
    declared = edge.tracing.option("input_signature") if edge.tracing is not None else None
    if not isinstance(declared, (cst.List, cst.Tuple)):
        return
    for element in declared.elements:
        node = element.value
        if isinstance(element, cst.StarredElement):
            return
        is_spec = isinstance(node, cst.Call) and model.names.one(node.func) == _SPEC
        yield _spec(model, node) if is_spec and isinstance(node, cst.Call) else node


def _spec(model: SemanticModel, node: cst.Call) -> _Spec:
    shape, dtype = argument(node, "shape", 0), argument(node, "dtype", 1)
    named = "float32" if dtype is None else (dotted(dtype) or "").rpartition(".")[2]
    members = model.value(shape).elements if shape is not None else None
    sizes: tuple[Any, ...] | None = None
    if members is not None and all(m.has_constant for m in members):
        sizes = tuple(m.constant for m in members)
    is_open = any(given.star for given in node.args)
    return _Spec(node, sizes, None if is_open else dtype_named(named))


def _refuses(spec: _Spec, value: Value) -> bool:
    """Whether a call with such a value surely raises."""
    if _is_unsure(value):
        return False
    if value.kind in NUMBERS:
        is_whole = (spec.dtype or "").startswith(("int", "uint"))
        return bool(spec.shape) or (value.kind is Kind.FLOAT and is_whole)
    if value.kind not in (*_TENSORS, Kind.NDARRAY):
        return False
    if value.kind in _TENSORS and None not in (value.dtype, spec.dtype):
        if value.dtype != spec.dtype:
            return True
    if value.shape is None or spec.shape is None or Ellipsis in value.shape:
        return False
    pairs = zip(value.shape, spec.shape, strict=False)
    differs = any(type(a) is type(b) is int and a != b for a, b in pairs)
    return differs or len(value.shape) != len(spec.shape)


def _is_unsure(value: Value) -> bool:
    return value.mixed or value.by_use or value.maybe_none


def _text(dtype: str | None, shape: tuple[Any, ...] | None) -> str:
    sizes = ", ".join(str(size) if type(size) is int else "None" for size in shape or ())
    known = f"[{sizes}]" if shape is not None and Ellipsis not in shape else "of any shape"
    return f"{dtype} {known}" if dtype is not None else known
