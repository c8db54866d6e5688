"""The TensorFlow that a module is written for, as the knowledge tables see it."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.syntax import dotted

KERAS = "tensorflow.keras."
#: The last version whose Keras is Keras 2.
_LAST_KERAS_2: Version = (2, 15)
_LEGACY_SWITCH = "TF_USE_LEGACY_KERAS"


def versions(model: SemanticModel, name: str) -> tuple[Version, ...]:
    """The covered versions that speak for `name` in this module (where they disagree: unknown)."""
    target = model.tf_version or tables.newest()
    if name.startswith(KERAS) and target > _LAST_KERAS_2:
        if stays_on_keras_2(model):
            return tables.neighbours(_LAST_KERAS_2)
        if model.may_use_tf_keras:
            return (_LAST_KERAS_2, *tables.neighbours(target))
    return tables.neighbours(target)


def stays_on_keras_2(model: SemanticModel) -> bool:
    """Whether the module uses `tf_keras`, or asks TensorFlow to."""
    if "tf_keras" in model.source.text:
        for alias in model.nodes(cst.ImportAlias):
            if (dotted(alias.name) or "").split(".")[0] == "tf_keras":
                return True
        for statement in model.nodes(cst.ImportFrom):
            if (dotted(statement.module) or "").split(".")[0] == "tf_keras":
                return True
    return _LEGACY_SWITCH in model.source.text


def is_missing(model: SemanticModel, name: str) -> bool:
    """Whether the target is known not to have `name`."""
    return all(symbols.missing(name, version) for version in versions(model, name))


def label(version: Version) -> str:
    """A version as it is written: `2.15`."""
    return f"{version[0]}.{version[1]}"


def name_of_target(model: SemanticModel, name: str) -> str:
    """The TensorFlow that was looked at for `name`: the target, or else the nearest known one."""
    here = versions(model, name)
    target = model.tf_version
    if target is None or not here[0] <= target <= here[-1]:
        target = here[-1]
    return f"TensorFlow {label(target)}"


def shown(name: str) -> str:
    """A full name as people write it: `tf.keras.layers.Dense`."""
    return "tf." + name.removeprefix(symbols.ROOT) if name.startswith(symbols.ROOT) else name
