"""The effects of functions, each read once and kept for whoever asks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.effects.effect import Effect, EffectKind
from tfxla_lint.semantics.effects.walk import effects_below
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


class Effects:
    """Answers for all modules of the world."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        self._below: dict[int, Sequence[Effect]] = {}

    def below(self, root: cst.CSTNode) -> Sequence[Effect]:
        """The effects of a statement or expression and all below it, in document order."""
        known = self._below.get(id(root))
        if known is None:
            known = self._below[id(root)] = tuple(effects_below(self._model, root))
        return known

    def of_all(self, roots: Iterable[cst.CSTNode]) -> list[Effect]:
        """The effects of some statements, in document order."""
        return [effect for root in roots for effect in self.below(root)]

    def of(self, unit: Unit, *kinds: EffectKind) -> list[Effect]:
        """The effects of a function's own code (of these kinds), without those of nested ones."""
        return [
            effect
            for effect in self.of_all(unit.body)
            if (not kinds or effect.kind in kinds) and self._model.unit(effect.node) is unit
        ]

    def run_by(self, unit: Unit) -> list[Unit]:
        """The functions of the project that a function's code runs, in the order of the calls."""
        found = [inner for effect in self.of_all(unit.body) for inner in effect.units]
        return list(dict.fromkeys(found))
