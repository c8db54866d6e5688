"""Members that objects do not have, of those that TensorFlow itself makes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Kind, Value

from ..shared.imported import may_be_private
from ..shared.renamed_methods import RENAMED, imports_keras, may_be_own
from ..shared.target import is_missing
from ..shared.version_guards import depends_on_version

_DATASET = "tensorflow.data.Dataset"
_KERAS = "tensorflow.keras."
#: The class of which all objects of a kind are.
_KERAS_CLASSES = {
    Kind.MODEL: _KERAS + "Model",
    Kind.LAYER: _KERAS + "layers.Layer",
    Kind.OPTIMIZER: _KERAS + "optimizers.Optimizer",
    Kind.METRIC: _KERAS + "metrics.Metric",
}
#: Files that mention it may have the data sets and optimizers of TensorFlow 1.
_V1 = "compat.v1"


def missing_members(model: SemanticModel) -> Iterator[tuple[cst.Attribute, str]]:
    """Where an object that is surely TensorFlow's own is asked for what the newest target knows of none,
    with the full name of that: a data set for anything, an object of Keras for what it had in an
    older version.

    What is missing of a Keras object is a method, or a property of a layer of a known class:
    a model built of symbolic tensors has properties of its own.
    """
    if _V1 in model.source.text:
        return
    keras = not imports_keras(model)
    for attribute in model.nodes(cst.Attribute):
        name = attribute.attr.value
        if name.startswith("_") or isinstance(model.binder.parent(attribute), cst.AssignTarget):
            continue
        holder = model.value(attribute.value)
        if not holder.is_sure:
            continue
        if holder.kind is Kind.DATASET:
            missing = _of_dataset(model, attribute, holder)
        else:
            had = keras and name in _once_had()
            missing = _of_keras(model, attribute, holder) if had else None
        if missing is not None and not depends_on_version(model, attribute):
            yield attribute, missing


def _of_dataset(model: SemanticModel, node: cst.Attribute, holder: Value) -> str | None:
    name = f"{_DATASET}.{node.attr.value}"
    if holder.class_ is not None or not is_missing(model, name):
        return None
    made = makers(model.flow, node.value)
    return name if made and all(_makes_dataset(model, each) for each in made) else None


def _makes_dataset(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether TensorFlow itself makes a data set there, and not what goes through one, such as a bar."""
    if not isinstance(node, cst.Call):
        return False
    names = model.names.of(node.func)
    if names:
        return all(name.startswith(_DATASET + ".") for name in names)
    function = model.value(node.func)
    return function.receiver is not None and function.receiver.kind is Kind.DATASET


def _of_keras(model: SemanticModel, node: cst.Attribute, holder: Value) -> str | None:
    general, name = _KERAS_CLASSES.get(holder.kind), node.attr.value
    if general is None or may_be_own(model, holder, name) or may_be_private(model, general, node):
        return None
    known = (holder.name or "") if holder.class_ is None else ""
    is_layer = known.startswith(_KERAS + "layers.")
    full = f"{known if is_layer else general}.{name}"
    if not is_missing(model, full) or not is_missing(model, f"{general}.{name}"):
        return None
    older = symbols.find(full)
    if older is None or not (older.kind == "method" or is_layer):
        return None
    return full


@lru_cache(maxsize=1)
def _once_had() -> frozenset[str]:
    """The names of the members that Keras objects have or had, those with a new name left out."""
    had = (
        name
        for class_ in _KERAS_CLASSES.values()
        for version in tables.covered()
        if (known := symbols.find(class_, version)) is not None
        for name in known.methods
    )
    return frozenset(name for name in had if name not in RENAMED)
