"""Traces a step where it is called, once for each model or optimizer that it is called with.

For functions that are given one object after the other: a decorated one would make variables for
the second object on a later trace. What makes the objects, or is run once for each, makes the
traced function too: `traced_step = tf.function(step)` before its loop.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.contexts import Edge
from tfxla_lint.semantics.liveness import statement_of
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import calls_of, is_repeated, repeating
from tfxla_lint.semantics.retracing.made_anew import (
    belongs_to_run,
    hardly_pays,
    serves_each_turn,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.lifetimes import argument_of, makes_variables
from tfxla_lint.semantics.steps import StepFunction
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import may_vary_in_shape


def wrap_step(
    model: SemanticModel, step: StepFunction, blockers: Sequence[Blocker]
) -> Rewrite | None:
    """The rewrite of the calls, where different objects are all that keeps a step from tracing."""
    unit = step.unit
    if not blockers or any(b.reason is not Reason.DIFFERENT_OBJECTS for b in blockers):
        return None
    edges = calls_of(model, unit)
    function = edges[0].node.func if edges and isinstance(edges[0].node, cst.Call) else None
    spelled = tensorflow_name(model, "function", edges[0].node) if edges else None
    if function is None or spelled is None or unit.class_ is not None:
        return None
    name = free_name(model, f"traced_{unit.name.lstrip('_')}")
    relaxed = any(may_vary_in_shape(p.value) for p in unit.parameters)
    relaxed = relaxed and not model.safety.reads_static_shape(unit.body)
    options = ", reduce_retracing=True" if relaxed else ""
    edits: list[NodeEdit] = []
    for edge in edges:
        found = _edits(model, unit, edge, name, f"{spelled}({unit.name}{options})")
        if found is None or sum(edge.caller is other.caller for other in edges) > 1:
            return None
        edits += found
    return Rewrite(
        title=f"Wrap `{unit.name}` in a tf.function for each object that it is called with",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that all callers pass tensors, and that outer Python state stays",
        unit=unit.qualname,
    )


def _edits(
    model: SemanticModel, unit: Unit, edge: Edge, name: str, wrapped: str
) -> list[NodeEdit] | None:
    """The line that makes the traced function for one call, and the call of it."""
    call = edge.node
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Name):
        return None
    if call.func.value != unit.name or not model.is_own(call):
        return None
    owners = [
        given
        for parameter in unit.parameters
        if (given := argument_of(unit, edge, parameter.name)) is not None
        and makes_variables(parameter.value)
    ]
    before = _place(model, edge, owners)
    if before is None:
        return None
    line = cst.parse_statement(f"{name} = {wrapped}")
    assert isinstance(line, cst.SimpleStatementLine)
    return [InsertBefore(before, [line]), Replace(call.func, name)]


def _place(
    model: SemanticModel, edge: Edge, owners: Sequence[cst.BaseExpression]
) -> cst.BaseCompoundStatement | None:
    """The outermost loop around a call on whose turns the objects stay the same."""
    names = [name for owner in owners if (name := _name_in(model, edge.caller, owner))]
    if not owners or len(names) < len(owners):
        return None
    if any(isinstance(around, cst.BaseComp) for around in repeating(model, edge.node)):
        return None
    caller = edge.caller
    loops = model.loops.around(edge.node, caller)
    outside = [loop for loop in loops if _binds(model, caller, loop, names)]
    inside = loops[len(outside) :]
    if not inside or loops[: len(outside)] != outside or hardly_pays(model, inside):
        return None
    if outside and not serves_each_turn(model, caller, outside, names):
        return None
    if not outside and is_repeated(model, caller):
        if not any(belongs_to_run(model, caller, owner) for owner in owners):
            return None
    statement = statement_of(model, inside[0])
    return statement if isinstance(statement, cst.BaseCompoundStatement) else None


def _name_in(model: SemanticModel, caller: Unit, node: cst.BaseExpression) -> str | None:
    """The name that an argument is, or is an attribute of, where the caller itself binds it."""
    name = node.value if isinstance(node, cst.Attribute) else node
    if not isinstance(name, cst.Name):
        return None
    is_local = model.binder.scope(name).home(name.value) is caller.scope
    return name.value if is_local else None


def _binds(model: SemanticModel, caller: Unit, loop: Loop, names: Sequence[str]) -> bool:
    return any(
        loop in model.ancestors(binding.node)
        for name in names
        for binding in caller.scope.bindings.get(name, ())
    )
