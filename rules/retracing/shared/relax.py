"""Gives `tf.function` the option that lets its traces take tensors of other shapes."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertArgument, NodeEdit, ReplaceDecorator, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.options import relaxing
from tfxla_lint.rewriting.signatures import spec_texts, with_signature
from tfxla_lint.semantics import measured
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.seen_signatures import DECIDED, Spec
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Tracing


def relaxed(model: SemanticModel, tracing: Tracing) -> NodeEdit | None:
    """The edit of a decorator or of a `tf.function(...)` call, or None where it is neither."""
    option = relaxing(model)
    return _with_option(model, tracing, option) if option is not None else None


def signed(model: SemanticModel, tracing: Tracing, specs: Sequence[Spec]) -> NodeEdit | None:
    """The edit that declares what a traced function takes, or None where that can't be written."""
    texts = spec_texts(model, specs, tracing.node)
    if texts is None:
        return None
    edit = _with_option(model, tracing, f"input_signature=[{', '.join(texts)}]")
    if isinstance(edit, ReplaceDecorator):
        spelled = model.code(edit.decorator.decorator)
        whole = with_signature(model, spelled, specs, tracing.node)
        return ReplaceDecorator(edit.decorator, whole) if whole is not None else None
    return edit


def signed_as_recorded(model: SemanticModel, unit: Unit, tracing: Tracing) -> Rewrite | None:
    """The fix that declares what a recorded run passed to a traced function."""
    specs = measured.specs(model, unit)
    edit = signed(model, tracing, specs) if specs is not None else None
    if edit is None:
        return None
    return Rewrite(
        "Declare what the recorded run passed",
        [edit],
        Applicability.UNSAFE,
        assumption="assumes that no call passes other shapes or dtypes than the recorded ones",
        unit=unit.qualname,
    )


def _with_option(model: SemanticModel, tracing: Tracing, option: str) -> NodeEdit | None:
    if any(tracing.option(name) is not None for name in DECIDED):
        return None
    node = tracing.node
    expression = node.decorator if isinstance(node, cst.Decorator) else node
    if isinstance(expression, cst.Call):
        is_plain = model.names.one(expression.func) == "tensorflow.function"
        is_plain = is_plain and not any(argument.star for argument in expression.args)
        return InsertArgument(expression, option) if is_plain else None
    if not isinstance(node, cst.Decorator) or model.names.one(expression) != "tensorflow.function":
        return None
    return ReplaceDecorator(node, f"{model.code(expression)}({option})")
