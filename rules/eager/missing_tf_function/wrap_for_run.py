"""Traces a method for each run of what sets up the state that it reads.

For trainers whose `train` sets the model, the optimizer or the rate: a decorated step would keep those
of the first run. Below what is set, before the loop in which nothing changes it, the traced function
is made: `traced_step = tf.function(self.step)`. A method that holds the loop and sets nothing may be called with
other state, and gets none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import free_name
from tfxla_lint.rewriting.options import relaxing, wrapper
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import is_repeated, repeating
from tfxla_lint.semantics.retracing.made_anew import hardly_pays
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.open_sizes import needs_sizes
from tfxla_lint.semantics.safety.remarks import changed_by_trace
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.statements import statement_of
from tfxla_lint.semantics.syntax import dotted
from tfxla_lint.semantics.units import MethodKind, Unit


@dataclass(frozen=True)
class _Place:
    """The loop before which the traced function is made, and the loops that then run one."""

    unit: Unit
    loop: Loop
    inside: list[Loop]


def wrap_for_run(
    model: SemanticModel, unit: Unit, blockers: Sequence[Blocker], *, varies: bool
) -> Rewrite | None:
    """The rewrite of the calls, where attributes that other methods set are all that keeps a method
    from being traced. `varies` says that the shapes of its arguments do."""
    if unit.class_ is None or unit.method is not MethodKind.INSTANCE:
        return None
    if not blockers or not all(_is_lifted(unit, b) or b.is_of_attribute for b in blockers):
        return None
    relaxed = varies and not needs_sizes(model, unit.body)
    option = relaxing(model) if relaxed else None
    edits: list[NodeEdit] = []
    made: dict[int, str] = {}
    for edge in model.calls.from_others(unit):
        place = _place(model, unit, edge, blockers)
        call = edge.node
        if place is None or not isinstance(call, cst.Call):
            return None
        spelled = tensorflow_name(model, "function", place.loop)
        before = statement_of(model, place.loop)
        if spelled is None or not isinstance(before, cst.BaseCompoundStatement):
            return None
        if id(place.loop) not in made:
            made[id(place.loop)] = name = free_name(model, f"traced_{unit.name.lstrip('_')}")
            method = f"{place.unit.parameters[0].name}.{unit.name}"
            line = cst.parse_statement(f"{name} = {wrapper(spelled, method, option)}")
            assert isinstance(line, cst.SimpleStatementLine)
            edits.append(InsertBefore(before, [line]))
        edits.append(Replace(call.func, made[id(place.loop)]))
    if len(made) > 1 or not edits:
        return None
    return Rewrite(
        title=f"Wrap `{unit.name}` in a tf.function for each run of what sets its state",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that all callers pass tensors, and that outer Python state stays while "
        "the loop runs" + changed_by_trace(model, unit.body),
        unit=unit.qualname,
    )


def _is_lifted(unit: Unit, blocker: Blocker) -> bool:
    """Whether a blocker does not count where the traced function is no decorated method."""
    return blocker.reason is Reason.UNHASHABLE and blocker.node is unit.node


def _place(
    model: SemanticModel, unit: Unit, edge: Edge, blockers: Sequence[Blocker]
) -> _Place | None:
    """The outermost loop around a call, in the method that makes it, in which nothing sets the state."""
    caller, call = edge.caller, edge.node
    if not _is_own_call(model, unit, caller, call):
        return None
    if any(isinstance(around, cst.BaseComp) for around in repeating(model, call)):
        return None
    free = [loop for loop in model.loops.around(call, caller) if not _left(model, unit, loop)]
    found = _Place(caller, free[0], free) if free else None
    return found if found is not None and _pays(model, blockers, found) else None


def _is_own_call(model: SemanticModel, unit: Unit, caller: Unit, call: cst.CSTNode) -> bool:
    """Whether a method calls one of the same object: `self.step(x)`."""
    if not isinstance(call, cst.Call) or not isinstance(call.func, cst.Attribute):
        return False
    if caller.method is not MethodKind.INSTANCE or not model.is_own(call):
        return False
    return caller.class_ is unit.class_ and dotted(call.func.value) == caller.parameters[0].name


def _left(model: SemanticModel, unit: Unit, loop: Loop) -> list[Blocker]:
    """What keeps a method from being traced for one run of a loop."""
    found = model.ask(Safety).unit_blockers(unit, loop)
    return [blocker for blocker in found if not _is_lifted(unit, blocker)]


def _sets(model: SemanticModel, blockers: Sequence[Blocker], unit: Unit) -> bool:
    """Whether a run of a method sets any of the state."""
    state = model.ask(Safety).state
    reads = (blocker.read for blocker in blockers)
    return any(
        isinstance(read, cst.Attribute) and state.attribute_changes(read, unit.node)
        for read in reads
    )


def _pays(model: SemanticModel, blockers: Sequence[Blocker], place: _Place) -> bool:
    """Whether the loops run a step often enough for a trace that each run of their method makes."""
    if hardly_pays(model, place.inside):
        return False
    is_new = _sets(model, blockers, place.unit)
    return is_new or not (model.contexts.hot_loops(place.unit) or is_repeated(model, place.unit))
