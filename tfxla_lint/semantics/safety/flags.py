"""Flags as arguments of a trace: there are two of each, so that two traces serve all calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Parameter, Unit
from tfxla_lint.semantics.values import KERAS_OBJECTS, Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers


def is_mere_flag(model: Answers, unit: Unit, parameter: Parameter) -> bool:
    """Whether a parameter is a bool by which nothing is decided that makes variables.

    What a later trace runs first, such as an optimizer or a layer not built before, may not make
    its variables there.
    """
    if parameter.value.kind is not Kind.BOOL:
        return False
    return all(_is_harmless(model, read) for read in unit.scope.reads.get(parameter.name, ()))


def _is_harmless(model: Answers, read: cst.CSTNode) -> bool:
    parent = model.parent(read)
    if isinstance(parent, cst.Arg):
        call = model.parent(parent)
        if not isinstance(call, cst.Call) or model.callees(call):
            return False
        return not (_makes(model, call) and parent.keyword is None)
    for ancestor in model.ancestors(read):
        if isinstance(ancestor, cst.BaseStatement) and not isinstance(ancestor, cst.If):
            return True
        if isinstance(ancestor, (cst.If, cst.IfExp, cst.While)):
            parts = [n for part in judged(ancestor.test) for n in walk(part)]
            if any(n is read for n in parts):
                calls = (n for n in walk(ancestor) if isinstance(n, cst.Call))
                return not any(_makes(model, c) or model.callees(c) for c in calls)
    return True


def _makes(model: Answers, call: cst.Call) -> bool:
    function = model.value(call.func)
    receiver = function.receiver
    return function.kind in KERAS_OBJECTS or (
        receiver is not None and receiver.kind in KERAS_OBJECTS
    )
