"""Lets a variable be the default step of summaries, where a loop sets Python numbers."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import InsertBefore, Replace, Rewrite
from tfxla_lint.findings import Applicability, Intent
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.turns import is_run_once

_GET_STEP = "tensorflow.summary.experimental.get_step"


def step_in_variable(model: SemanticModel, setter: cst.Call) -> Rewrite | None:
    """Make the variable ahead of the loops around `setter`, and assign to it in its place.

    The traces keep the variable that they were made with, so there must be only one: the loops
    run once, and nothing else gives a default step, or asks for it and gets a number.
    """
    unit = model.unit(setter)
    loops = model.loops.around(setter, unit)
    is_plain = len(setter.args) == 1 and isinstance(model.parent(setter), cst.Expr)
    if not loops or not is_plain or not model.contexts.is_only_eager(unit):
        return None
    if not is_run_once(model, unit) or _is_seen_elsewhere(model):
        return None
    variable = tensorflow_name(model, "Variable", at=loops[0])
    dtype = tensorflow_name(model, "int64", at=loops[0])
    if variable is None or dtype is None:
        return None
    name = free_name(model, "summary_step")
    code = model.code
    ahead = f"{name} = {variable}(0, dtype={dtype})", f"{code(setter.func)}({name})"
    lines = [cst.ensure_type(cst.parse_statement(t), cst.SimpleStatementLine) for t in ahead]
    assigned = f"{name}.assign({code(setter.args[0].value)})"
    return Rewrite(
        title="Keep the step in a variable",
        edits=[InsertBefore(loops[0], lines), Replace(setter, assigned)],
        applicability=Applicability.UNSAFE,
        intent=Intent.CORRECTING,
        assumption="assumes that no other module sets the default step or asks for it",
        unit=unit.qualname,
    )


def _is_seen_elsewhere(model: SemanticModel) -> bool:
    """Whether the module asks for the default step, or a writer brings one of its own."""
    for call in model.nodes(cst.Call):
        if _GET_STEP in model.names.of(call.func):
            return True
        function = call.func
        if isinstance(function, cst.Attribute) and function.attr.value == "as_default":
            if call.args:
                return True
    return False
