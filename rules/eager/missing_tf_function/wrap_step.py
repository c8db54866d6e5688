"""Traces a step where it is called, once for each model or optimizer that it is called with.

For functions that are given one object after the other: a decorated one would make variables for
the second object on a later trace; and a method cannot be decorated where instances have no hash
to find their traces by. What makes the objects, or is run once for each, makes the
traced function too: `traced_step = tf.function(step)` before its loop.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.options import relaxing, wrapper
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import is_repeated, repeating
from tfxla_lint.semantics.retracing.made_anew import (
    belongs_to_run,
    bound_in,
    hardly_pays,
    serves_each_turn,
)
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.lifetimes import makes_variables
from tfxla_lint.semantics.safety.open_sizes import needs_sizes
from tfxla_lint.semantics.safety.passed_variables import holds_variables
from tfxla_lint.semantics.safety.remarks import changed_by_trace
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.units import MethodKind, Unit


def wrap_step(
    model: SemanticModel, unit: Unit, blockers: Sequence[Blocker], *, varies: bool
) -> Rewrite | None:
    """The rewrite of the calls, where the objects at hand are all that keeps a step from tracing.

    `varies` says that the shapes of its arguments do.
    """
    if not blockers or not all(_is_lifted(unit, blocker) for blocker in blockers):
        return None
    edges = model.calls.from_others(unit)
    name = free_name(model, f"traced_{unit.name.lstrip('_')}")
    relaxed = varies and not needs_sizes(model, unit.body)
    option = relaxing(model) if relaxed else None
    edits: list[NodeEdit] = []
    for edge in edges:
        found = _edits(model, unit, edge, name, option)
        if found is None or sum(edge.caller is other.caller for other in edges) > 1:
            return None
        edits += found
    if not edits:
        return None
    return Rewrite(
        title=f"Wrap `{unit.name}` in a tf.function for each object that it is called with",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that all callers pass tensors, and that outer Python state stays"
        + changed_by_trace(model, unit.body),
        unit=unit.qualname,
    )


def _is_lifted(unit: Unit, blocker: Blocker) -> bool:
    """Whether a blocker no longer counts where the traced function is made for its objects."""
    if blocker.reason is Reason.UNHASHABLE:
        return blocker.node is unit.node
    return blocker.reason is Reason.DIFFERENT_OBJECTS


def _edits(
    model: SemanticModel, unit: Unit, edge: Edge, name: str, option: str | None
) -> list[NodeEdit] | None:
    """The line that makes the traced function for one call, and the call of it."""
    call = edge.node
    if not isinstance(call, cst.Call) or not model.is_own(call) or not _is_called(unit, call):
        return None
    before = _place(model, edge, _owners(unit, edge))
    spelled = tensorflow_name(model, "function", call)
    if before is None or spelled is None:
        return None
    function = model.code(call.func)
    line = cst.parse_statement(f"{name} = {wrapper(spelled, function, option)}")
    assert isinstance(line, cst.SimpleStatementLine)
    return [InsertBefore(before, [line]), Replace(call.func, name)]


def _is_called(unit: Unit, call: cst.Call) -> bool:
    """Whether a call names the function itself, or a method of an object that a name holds."""
    function = call.func
    if isinstance(function, cst.Attribute):
        is_method = unit.method is MethodKind.INSTANCE and function.attr.value == unit.name
        return is_method and isinstance(function.value, cst.Name)
    return unit.class_ is None and isinstance(function, cst.Name) and function.value == unit.name


def _owners(unit: Unit, edge: Edge) -> list[cst.BaseExpression]:
    """The objects of a call that the traced function belongs to: the receiver, models, variables and
    others."""
    given = [
        edge.argument(parameter.name)
        for index, parameter in enumerate(unit.parameters)
        if (unit.is_method and index == 0)
        or makes_variables(parameter.value)
        or holds_variables(parameter.value)
    ]
    return [node for node in given if node is not None]


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
    outside = [loop for loop in loops if bound_in(model, loop, names)]
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


def _name_in(model: SemanticModel, caller: Unit, node: cst.BaseExpression) -> cst.Name | None:
    """The name that an argument is, or is an attribute of, where the caller itself binds it."""
    name = node.value if isinstance(node, cst.Attribute) else node
    if not isinstance(name, cst.Name):
        return None
    if isinstance(node, cst.Attribute):
        info = model.value(name).class_
        writes = model.flow.attributes.written(info, node.attr.value) if info is not None else ()
        if info is None or any(model.unit(write.target).name != "__init__" for write in writes):
            return None
    is_local = model.binder.scope(name).home(name.value) is caller.scope
    return name if is_local else None
