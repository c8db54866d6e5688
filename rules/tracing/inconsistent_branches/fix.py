"""Makes the sides of a branch, or the turns of a loop, agree where that is mechanical."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, is_statement
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel

from .carried import Change


def as_float(number: cst.BaseExpression) -> list[NodeEdit]:
    """A whole number, written out, as the float that takes its place."""
    assert isinstance(number, cst.Integer)
    return [Replace(number, f"{int(number.value.replace('_', ''), 0)}.0")]


def with_invariants(model: SemanticModel, found: Sequence[Change]) -> list[NodeEdit] | None:
    """Say at the top of a loop which dimensions of its names change."""
    loop = found[0].loop
    options = tensorflow_name(model, "autograph.experimental.set_loop_options", at=loop.body)
    shape = tensorflow_name(model, "TensorShape", at=loop.body)
    first = loop.body.body[0] if loop.body.body else None
    if options is None or shape is None or first is None or not is_statement(first):
        return None
    pairs: dict[str, str] = {}
    for change in found:
        if change.shape is None:
            return None
        sizes = ", ".join(str(size) for size in change.shape)
        pairs.setdefault(change.name, f"({change.name}, {shape}([{sizes}]))")
    text = f"{options}(shape_invariants=[{', '.join(pairs.values())}])"
    return [InsertBefore(first, [cst.parse_statement(text)])]
