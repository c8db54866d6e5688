"""Variables as arguments of a trace.

Variables of Keras 3 it takes for tensors, unlike those of TensorFlow's own: what would assign to them
fails, and no gradient comes of them. Variables of TensorFlow of one shape and dtype share a trace, and
in it the one that was passed first *is* the argument, whatever names it: an optimizer's slots, or a read
of it beside the argument, are then those of another variable in the next call.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.effects import Effects
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.syntax import is_none, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_OBJECTS, Kind, Value, leaves

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def variables_blocker(model: Answers, name: str, value: Value, node: cst.CSTNode) -> Blocker | None:
    """What keeps variables of Keras from being an argument of a traced function."""
    if not model.world.may_run_keras_3 or not any(v.is_keras_variable for v in leaves(value)):
        return None
    message = f"takes as `{name}` variables of Keras 3, of which a trace gets the values only"
    is_sure = model.world.runs_keras_3(node)
    return Blocker(Reason.PYTHON_ARGUMENT, node, message, of_unknown=not is_sure)


def holds_variables(value: Value) -> bool:
    """Whether a value is a variable, or a structure of some."""
    return any(leaf.kind is Kind.VARIABLE for leaf in leaves(value))


def knows_variables(model: Answers, code: Iterable[cst.CSTNode], passed: set[str]) -> bool:
    """Whether code, or what it runs, knows variables by more than the names under which it is `passed`
    them: it runs what holds some, reads others, or asks which one is at hand."""
    roots = list(code)
    if _knows(model, roots, passed):
        return True
    below = {id(u): u for unit in model.works.of(roots).callees for u in model.works.done_by(unit)}
    return any(_knows(model, unit.body, _parameters(unit)) for unit in below.values())


def _parameters(unit: Unit) -> set[str]:
    return {parameter.name for parameter in unit.parameters}


def _knows(model: Answers, roots: Iterable[cst.CSTNode], passed: set[str]) -> bool:
    roots = list(roots)
    if any(e.kind is EffectKind.RUN_KERAS for e in model.ask(Effects).of_all(roots)):
        return True
    for node in (node for root in roots for node in walk(root)):
        if isinstance(node, cst.Name) and model.value(node).kind is Kind.VARIABLE:
            home = model.binder.scope(node).home(node.value)
            if node.value not in passed and (home is None or home is not model.unit(node).scope):
                return True
        if isinstance(node, cst.Attribute):
            value = model.value(node)
            if holds_variables(value) or value.kind in KERAS_OBJECTS:
                return True
        if isinstance(node, cst.Comparison) and _tells(node):
            return True
    return False


def _tells(node: cst.Comparison) -> bool:
    """Whether a comparison asks which object something is, and not whether there is one."""
    return any(
        isinstance(target.operator, (cst.Is, cst.IsNot)) and not is_none(target.comparator)
        for target in node.comparisons
    )
