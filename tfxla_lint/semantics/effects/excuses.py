"""What excuses an effect in traced code: the one place that decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.guards import (
    caught,
    excludes_tracing,
    exits_before,
    expects,
    in_init_scope,
    python_tests_around,
    runs_once,
)
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

#: Effects that fail while tracing: who catches the error means to be answered so.
_FAILING = frozenset(
    {EffectKind.READ_VALUE, EffectKind.EAGER_ONLY, EffectKind.NUMPY, EffectKind.PYTHON,
     EffectKind.MAKE, EffectKind.PRINT, EffectKind.LOG}
)  # fmt: skip
#: What they raise, seen on TensorFlow 2.21.
_RAISED = (AttributeError, NotImplementedError, RuntimeError, TypeError, ValueError)
_ERRORS = frozenset({*(e.__name__ for e in _RAISED), "OperatorNotAllowedInGraphError"})
#: Effects that are meant to take place once: under a test that lets them, they do what they should.
_ONCE = frozenset(
    {EffectKind.CLOCK, EffectKind.DRAW, EffectKind.FRESH, EffectKind.MAKE, EffectKind.SET,
     EffectKind.STORE, EffectKind.MUTATE, EffectKind.REBIND, EffectKind.READ_NAME,
     EffectKind.READ_ATTRIBUTE, EffectKind.SUMMARY, EffectKind.COUNT}
)  # fmt: skip
#: Methods in which an object is set up: what happens there is meant to happen once.
SETTING_UP = behaviour.methods(Trait.SETS_UP)


def is_excused(model: Answers, kind: EffectKind, node: cst.CSTNode) -> bool:
    """Whether an effect of this kind does at `node`, in traced code, what its author means.

    It stands in `tf.init_scope`, which leaves the trace, or under a test that keeps traces away;
    it is caught where it fails; or it takes place once, and is meant to.
    """
    if in_init_scope(model, node) or excludes_tracing(model, node):
        return True
    if kind in _FAILING and (
        caught(model, node, _ERRORS) or is_shown_to_fail(model, model.unit(node))
    ):
        return True
    if kind in _ONCE and runs_once(model, node):
        return True
    return _may_stop_making(model, kind, node)


def is_shown_to_fail(model: Answers, unit: Unit) -> bool:
    """Whether every call in sight that traces a function expects one of these errors, by its name."""
    eager = set(map(id, model.calls.untraced(unit)))
    edges = [edge for edge in model.calls.direct(unit) if id(edge) not in eager]
    return bool(edges) and all(expects(model, edge.node, _ERRORS) for edge in edges)


def is_set_up(model: Answers, unit: Unit, kind: EffectKind) -> bool:
    """Whether a traced unit is reached where objects are set up, so that effects happen once.

    What a decorator that is not known makes of a function may run it once, too.
    """
    route = model.contexts.traced(unit)
    calls = route.calls if route is not None else ()
    units = [unit, *(model.unit(call) for call in calls)]
    if any(each.name in SETTING_UP for each in units):
        return True
    if kind is EffectKind.MAKE and any(each.unknown_decorators for each in units):
        return True
    return any(model.ask(_is_once, kind, call) for call in calls)


def _is_once(model: Answers, kind: EffectKind, call: cst.CSTNode) -> bool:
    """Whether what a call leads to happens once: the routes to many units share their calls."""
    return runs_once(model, call) or _may_stop_making(model, kind, call)


def _may_stop_making(model: Answers, kind: EffectKind, node: cst.CSTNode) -> bool:
    """Whether a test of Python's, or what leaves the function before, may stop a second making."""
    return kind is EffectKind.MAKE and (
        bool(python_tests_around(model, node)) or exits_before(model, node)
    )
