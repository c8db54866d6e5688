"""Which expressions are one tensor, and no structure of tensors."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.semantics import api
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.values import Kind


def is_one_tensor(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether an expression surely is a single tensor without a value.

    What a model gives, and is passed, may as well be a tuple or a list of tensors.
    """
    if not is_symbolic(model, node):
        return False
    value = model.value(node)
    if value.dtype is not None or value.shape is not None:
        return True
    made = makers(model.flow, node)
    return bool(made) and all(_is_op(model, each) for each in made)


def _is_op(model: Answers, node: cst.BaseExpression) -> bool:
    """Whether a node calls an op that gives a single tensor, whatever it is given."""
    name = model.names.one(node.func) if isinstance(node, cst.Call) else None
    return name is not None and api.is_op(name) and api.result_of(name).kind is Kind.TENSOR
