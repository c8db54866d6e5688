"""Which calls run code without AutoGraph: those of the objects that Keras 3 runs, and of functions
that a decorator keeps from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Autograph
from tfxla_lint.semantics.syntax import decorators_of
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import KERAS_CALLABLES

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

WITHOUT_AUTOGRAPH = "Keras 3 runs `call` without AutoGraph"
_KEEPING = behaviour.names(Autograph.RAW)


def is_kept_raw(model: Answers, unit: Unit) -> bool:
    """Whether a decorator keeps AutoGraph from a function, and so from all that it runs."""
    if not isinstance(unit.node, cst.FunctionDef):
        return False
    return any(model.names.of(each) & _KEEPING for each in decorators_of(unit.node))


def runs_raw(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a call is one of a layer or model (not of its `call`), which Keras 3 surely runs, or of
    a function that a decorator keeps from AutoGraph."""
    if not isinstance(node, cst.Call):
        return False
    if any(is_kept_raw(model, each.unit) for each in model.callees(node)):
        return True
    value = model.value(node.func)
    return value.kind in KERAS_CALLABLES and model.world.runs_keras_3(node, value.class_)
