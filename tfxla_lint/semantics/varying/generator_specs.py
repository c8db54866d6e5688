"""What `Dataset.from_generator` declares of the elements that reach a loop one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.syntax import is_none

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_KEEPING = behaviour.methods(Trait.KEEPS_ELEMENTS, "dataset")


def generator_spec(model: Answers, node: cst.BaseExpression) -> cst.BaseExpression | None:
    """The `output_signature` of the generator behind a dataset that nothing batches or maps."""

    def judge(made: cst.CSTNode, path: Path) -> cst.BaseExpression | Look | None:
        if not isinstance(made, cst.Call):
            return THROUGH
        if model.names.one(made.func) == "tensorflow.data.Dataset.from_generator":
            return argument(made, "output_signature", 4) if not path else None
        if isinstance(made.func, cst.Attribute) and made.func.attr.value in _KEEPING:
            return question.of(made.func.value, path)
        return THROUGH

    question = Origins(model.flow, Through(returns=lambda edge: True, agree=Agree.ONE), judge)
    return question.of(node)


def open_dimension(model: Answers, spec: cst.BaseExpression) -> int | None:
    """The first dimension that a `tf.TensorSpec` leaves open."""
    if not isinstance(spec, cst.Call) or model.names.one(spec.func) != "tensorflow.TensorSpec":
        return None
    shape = argument(spec, "shape", 0)
    if not isinstance(shape, (cst.List, cst.Tuple)):
        return None
    for index, element in enumerate(shape.elements):
        if is_none(element.value):
            return index
    return None
