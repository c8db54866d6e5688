"""Parameters that do nothing, and that an optimizer moves by rounding alone.

What a batch normalisation is given loses its mean there: the gradient of a bias in front of it is zero, but
for rounding. Adam and its kin divide a gradient by its own size, so that the bias goes a whole step up or
down as the rounding falls, which a graph may change; moving means follow it, and what is evaluated with them.
Measured in 2.21: after 20 epochs of a small model another third digit of the validation loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.flow.origins import makers
from tfxla_lint.semantics.safety.composition import Composition
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_RECENTERING = behaviour.names(Trait.RECENTERS)
_RECENTERING_PACKAGES = behaviour.prefixes(Trait.RECENTERS)
_PROPORTIONAL = behaviour.names(Trait.PROPORTIONAL)


def idle_parameters(
    model: Answers, code: Composition, nodes: Iterable[cst.CSTNode]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The updates that may move idle parameters by rounding, with words for each."""
    updates = [node for node in nodes if isinstance(node, cst.Call)]
    updates = [call for call in updates if code.holder(call) is Kind.OPTIMIZER]
    scaled = next((call for call in updates if not _is_proportional(model, call)), None)
    layer = model.ask(_recentering) if scaled is not None else None
    if scaled is not None and layer is not None:
        words = f"rounding decides where it moves a bias in front of `{model.code(layer)}`"
        yield scaled, words


def _recentering(model: Answers) -> cst.CSTNode | None:
    """What, anywhere, makes a layer that takes the mean away from what it is given."""
    for node in (*model.everywhere(cst.Name), *model.everywhere(cst.Attribute)):
        for name in model.names.of(node):
            if name in _RECENTERING or name.startswith(_RECENTERING_PACKAGES):
                return node
    return None


def _is_proportional(model: Answers, update: cst.Call) -> bool:
    """Whether the optimizer is known to move a variable by no more than its gradients, scaled."""
    if not isinstance(update.func, cst.Attribute):
        return False
    made = makers(model.flow, update.func.value)
    return bool(made) and all(
        isinstance(call, cst.Call)
        and model.names.of(call.func) <= _PROPORTIONAL
        and bool(model.names.of(call.func))
        for call in made
    )
