"""Writes the options of a tf.function."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.retracing.seen_signatures import Spec


def with_signature(
    model: SemanticModel, decorator: str, specs: Sequence[Spec], at: cst.CSTNode
) -> str | None:
    """The decorator with an `input_signature`."""
    texts = spec_texts(model, specs, at)
    return f"{decorator}(input_signature=[{', '.join(texts)}])" if texts is not None else None


def spec_texts(model: SemanticModel, specs: Sequence[Spec], at: cst.CSTNode) -> list[str] | None:
    """Each spec as the file spells it, or None where it has no names for that."""
    spec = tensorflow_name(model, "TensorSpec", at)
    if spec is None:
        return None
    texts = []
    for shape, dtype in specs:
        spelled = tensorflow_name(model, dtype, at)
        if spelled is None:
            return None
        texts.append(f"{spec}({list(shape)}, {spelled})")
    return texts
