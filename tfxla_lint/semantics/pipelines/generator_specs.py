"""What `Dataset.from_generator` declares of the elements that reach a loop one at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.reaching import definition
from tfxla_lint.semantics.scopes import BindingKind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_DEPTH = 8
_KEEPING = behaviour.methods(Trait.KEEPS_ELEMENTS, "dataset")


def generator_spec(
    model: SemanticModel, node: cst.BaseExpression, depth: int = _DEPTH
) -> cst.BaseExpression | None:
    """The `output_signature` of the generator behind a dataset that nothing batches or maps."""
    if depth == 0:
        return None
    if isinstance(node, cst.Name):
        binding = definition(model, node)
        is_plain = binding is not None and binding.kind is BindingKind.ASSIGNMENT
        value = binding.value if binding is not None and is_plain else None
        return generator_spec(model, value, depth - 1) if value is not None else None
    if not isinstance(node, cst.Call):
        return None
    if model.names.one(node.func) == "tensorflow.data.Dataset.from_generator":
        return argument(node, "output_signature", 4)
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _KEEPING:
        return generator_spec(model, node.func.value, depth - 1)
    return None


def open_dimension(model: SemanticModel, spec: cst.BaseExpression) -> int | None:
    """The first dimension that a `tf.TensorSpec` leaves open."""
    if not isinstance(spec, cst.Call) or model.names.one(spec.func) != "tensorflow.TensorSpec":
        return None
    shape = argument(spec, "shape", 0)
    if not isinstance(shape, (cst.List, cst.Tuple)):
        return None
    for index, element in enumerate(shape.elements):
        if isinstance(element.value, cst.Name) and element.value.value == "None":
            return index
    return None
