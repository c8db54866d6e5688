"""The TensorFlow that a module is written for, as the knowledge tables see it."""

from __future__ import annotations

import re

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.world import LAST_KERAS_2

#: The names of Keras in TensorFlow, of which `tf_keras` gives each as well.
_KERAS = re.compile(r"tensorflow\.(compat\.v[12]\.)?keras\.")


def versions(model: SemanticModel, name: str, target: Version | None = None) -> tuple[Version, ...]:
    """The covered versions that speak for `name` in this module (where they disagree: unknown).

    They are those of the `target`, which is the newest TensorFlow that the module has to work with
    where none is given.
    """
    target = target or model.newest_target
    if _KERAS.match(name) and target > LAST_KERAS_2:
        if model.home.stays_on_keras_2:
            return tables.neighbours(LAST_KERAS_2)
        if model.may_use_tf_keras:
            return (LAST_KERAS_2, *tables.neighbours(target))
    return tables.neighbours(target)


def is_missing(model: SemanticModel, name: str) -> bool:
    """Whether the newest target is known not to have `name`."""
    return all(symbols.missing(name, version) for version in versions(model, name))


def label(version: Version) -> str:
    """A version as it is written: `2.15`."""
    return f"{version[0]}.{version[1]}"


def name_of_target(model: SemanticModel, name: str) -> str:
    """The TensorFlow that was looked at for `name`: the target, or else the nearest known one."""
    here = versions(model, name)
    target = model.newest_target
    if not here[0] <= target <= here[-1]:
        target = here[-1]
    return f"TensorFlow {label(target)}"


def shown(name: str) -> str:
    """A full name as people write it: `tf.keras.layers.Dense`."""
    return "tf." + name.removeprefix(symbols.ROOT) if name.startswith(symbols.ROOT) else name
