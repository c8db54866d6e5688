"""Whether other classes give a method of the same name, and so expect its parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tfxla_lint.knowledge import behaviour, symbols
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_NO_BASES = behaviour.names(Trait.PLAIN_BASE) | {"tensorflow.Module"}


def is_known_to_others(model: Answers, unit: Unit) -> bool:
    """Whether a base or derived class has, or may have, a method of this name."""
    info = unit.class_
    if info is None:
        return False
    for member in info.lineage():
        if member.has_unknown_base or (member is not info and unit.name in member.methods):
            return True
        for base in set(member.base_names) - _NO_BASES:
            symbol = symbols.find(base)
            if symbol is None or unit.name in symbol.methods:
                return True
    return any(
        other is not info and info in other.lineage() and unit.name in other.methods
        for units in model.evaluator.modules
        for other in units.classes
    )
