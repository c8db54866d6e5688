"""Members that data sets do not have, of those that TensorFlow itself makes."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind

from ..shared.target import is_missing
from ..shared.version_guards import depends_on_version

#: What leads to the names of the members.
DATASET = "tensorflow.data.Dataset."
#: Files that mention it may have the data sets of TensorFlow 1.
_V1 = "compat.v1"


def missing_members(model: SemanticModel) -> Iterator[cst.Attribute]:
    """Where a data set, surely TensorFlow's own, is asked for what the newest target knows of none."""
    if _V1 not in model.source.text:
        for attribute in model.nodes(cst.Attribute):
            if _is_missing(model, attribute):
                yield attribute


def _is_missing(model: SemanticModel, node: cst.Attribute) -> bool:
    holder, name = model.value(node.value), node.attr.value
    if holder.kind is not Kind.DATASET or holder.mixed or holder.choices or holder.by_use:
        return False
    if name.startswith("_") or holder.class_ is not None or not is_missing(model, DATASET + name):
        return False
    made = makers(model.flow, node.value)
    is_made = bool(made) and all(_makes_dataset(model, each) for each in made)
    return is_made and not depends_on_version(model, node)


def _makes_dataset(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether TensorFlow itself makes a data set there, and not what goes through one, such as a bar."""
    if not isinstance(node, cst.Call):
        return False
    names = model.names.of(node.func)
    if names:
        return all(name.startswith(DATASET) for name in names)
    function = model.value(node.func)
    return function.receiver is not None and function.receiver.kind is Kind.DATASET
