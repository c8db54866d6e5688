"""Parameters that do nothing, and that an optimizer moves by rounding alone.

What a batch normalisation is given loses its mean there, and so does what a model gives where its own mean,
or what it gives for something else, is taken from it: the gradient of a bias in front of that is zero, but for
rounding. Adam and its kin divide a gradient by its own size, so that the bias goes a whole step up or
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
from tfxla_lint.semantics.values import KERAS_CALLABLES, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_RECENTERING = behaviour.names(Trait.RECENTERS)
_RECENTERING_PACKAGES = behaviour.prefixes(Trait.RECENTERS)
_PROPORTIONAL = behaviour.names(Trait.PROPORTIONAL)


def idle_parameters(
    model: Answers, code: Composition, nodes: Iterable[cst.CSTNode]
) -> Iterator[tuple[cst.CSTNode, str]]:
    """The updates that may move idle parameters by rounding, with words for each."""
    nodes = list(nodes)
    updates = [node for node in nodes if isinstance(node, cst.Call)]
    updates = [call for call in updates if code.holder(call) is Kind.OPTIMIZER]
    scaled = next((call for call in updates if not _is_proportional(model, call)), None)
    if scaled is None:
        return
    layer = model.ask(_recentering)
    trained: dict[int, frozenset[str]] = {}
    cancelling = (node for node in nodes if _cancels(model, code, node, trained))
    place = layer if layer is not None else next(cancelling, None)
    if place is not None:
        words = f"rounding decides where it moves a bias that `{model.code(place)}` cancels"
        yield scaled, words


def _cancels(
    model: Answers, code: Composition, node: cst.CSTNode, known: dict[int, frozenset[str]]
) -> bool:
    """Whether a difference is taken, or a loss, of what comes of one model twice."""
    sides: list[cst.BaseExpression] = []
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Subtract):
        sides = [node.left, node.right]
    elif isinstance(node, cst.Call) and code.holder(node) is Kind.LOSS:
        sides = [argument.value for argument in code.tensors(node)]
    of_sides = [_trained(model, code, side, known) for side in sides]
    return any(a & b for i, a in enumerate(of_sides) for b in of_sides[:i])


def _trained(
    model: Answers, code: Composition, node: cst.BaseExpression, known: dict[int, frozenset[str]]
) -> frozenset[str]:
    """The models and variables of which an expression is computed, as they are named."""

    def judge(part: cst.BaseExpression) -> frozenset[str]:
        found: set[str] = set()
        for source in code.sources(part):
            if isinstance(source, cst.BaseExpression) and model.value(source).kind is Kind.VARIABLE:
                found.add(model.code(source))
            elif isinstance(source, cst.Call) and code.holder(source) in KERAS_CALLABLES:
                found.add(model.code(source.func))
            found.update(*(known[id(inner)] for inner in code.parts(source)))
        return frozenset(found)

    return code.settled(node, known, frozenset(), judge)


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
