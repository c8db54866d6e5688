"""The shapes and dtypes with which a module's own calls run its traced functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.knowledge.renamed import option_spellings
from tfxla_lint.semantics import api
from tfxla_lint.semantics.scopes import ScopeKind
from tfxla_lint.semantics.units import ClassInfo, MethodKind, Parameter, Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind, Tracing, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: A shape and a dtype.
Spec: TypeAlias = "tuple[tuple[int | None, ...], str]"

#: The options of `tf.function` that decide which arguments retrace.
DECIDED = ("input_signature", *option_spellings("reduce_retracing"))
_DECLARABLE = frozenset({Kind.UNKNOWN, Kind.UNBOUND, Kind.TENSOR, Kind.NDARRAY, Kind.NUMPY_SCALAR})
_ANNOTATED = frozenset({"tensorflow.Tensor", "tensorflow.types.experimental.TensorLike"})


@dataclass(frozen=True, slots=True)
class Unsigned:
    """A traced function without a signature, its tensor parameters, and the calls that are seen.

    `specs` holds the shape and dtype of every parameter, or None where one of them is not known.
    """

    unit: Unit
    tracing: Tracing
    tensors: list[Parameter]
    calls: list[cst.Call]
    specs: list[Spec] | None


def unsigned_functions(model: SemanticModel) -> Iterator[Unsigned]:
    """The public ones that take a tensor, by what calls pass or annotations say."""
    for unit in model.units.all[1:]:
        tracing = unit.tracing
        if tracing is None or not tracing.takes_options or not _is_public(unit):
            continue
        if any(tracing.option(name) is not None for name in DECIDED):
            continue
        parameters = unit.parameters[1:] if unit.is_method else unit.parameters
        tensors = [p for p in parameters if _is_tensor(model, p)]
        calls = [cst.ensure_type(edge.node, cst.Call) for edge in model.calls.direct(unit)]
        if calls and not any(model.contexts.is_only_eager(model.unit(call)) for call in calls):
            continue
        if tensors and all(_can_be_declared(model, p) for p in parameters):
            yield Unsigned(unit, tracing, tensors, calls, specs_of(parameters) if calls else None)


def _is_public(unit: Unit) -> bool:
    """Whether other code may call a function: its name, its class's name, where it stands."""
    if unit.is_lambda or unit.name.startswith("_"):
        return False
    if unit.method not in (MethodKind.NONE, MethodKind.INSTANCE):
        return False
    info = unit.class_
    if info is not None and (info.name.startswith("_") or _is_run_by_keras(info, unit)):
        return False
    holder = unit.scope.parent
    while holder is not None and holder.kind is ScopeKind.CLASS:
        holder = holder.parent
    return holder is not None and holder.kind is ScopeKind.MODULE


def _is_run_by_keras(info: ClassInfo, unit: Unit) -> bool:
    return info.role in KERAS_CALLABLES and unit.name in api.KERAS_CALLED_METHODS


def _is_tensor(model: SemanticModel, parameter: Parameter) -> bool:
    annotation = parameter.node.annotation
    if annotation is not None and model.names.of(annotation.annotation) & _ANNOTATED:
        return True
    value = parameter.value
    return value.kind is Kind.TENSOR and value.is_tensor and not value.maybe_none


def _can_be_declared(model: SemanticModel, parameter: Parameter) -> bool:
    """Whether a signature may name a parameter: a signature has to name all without a default."""
    if parameter.form not in ("positional", "either"):
        return False
    if parameter.node.default is not None or _is_tensor(model, parameter):
        return True
    return parameter.value.kind in _DECLARABLE


def specs_of(parameters: Sequence[Parameter]) -> list[Spec] | None:
    """The shape and dtype of each parameter, as all calls that are seen agree."""
    found = []
    for parameter in parameters:
        spec = spec_of(parameter.value)
        if parameter.form not in ("positional", "either") or parameter.node.default is not None:
            return None
        if spec is None:
            return None
        found.append(spec)
    return found


def spec_of(value: Value) -> Spec | None:
    """The shape and dtype of what is surely a tensor, None where they are not known."""
    if value.kind is not Kind.TENSOR or not value.is_tensor or value.maybe_none:
        return None
    if value.dtype is None or value.shape is None or Ellipsis in value.shape:
        return None
    return tuple(d if type(d) is int else None for d in value.shape), value.dtype
