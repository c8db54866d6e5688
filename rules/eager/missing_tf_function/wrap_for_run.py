"""Traces a method for each run of what sets up the state that it reads.

For trainers whose `train` sets the model, the optimizer or the rate: a decorated step would keep those
of the first run. Below what is set, before the loop in which nothing changes it, the traced function
is made: `traced_step = tf.function(self.step)`. Where another method holds the loop, it is an attribute.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import InsertBefore, NodeEdit, Replace, Rewrite
from tfxla_lint.findings import Applicability
from tfxla_lint.rewriting.naming import free_attribute, free_name
from tfxla_lint.rewriting.options import relaxing, wrapper
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.flow.calls import Edge
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.repetition import is_repeated, repeating
from tfxla_lint.semantics.retracing.made_anew import hardly_pays
from tfxla_lint.semantics.safety.blockers import Blocker, Reason
from tfxla_lint.semantics.safety.open_sizes import needs_sizes
from tfxla_lint.semantics.safety.recorded import on_trust
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
        holder = place.unit.parameters[0].name
        if id(place.loop) not in made:
            base = f"traced_{unit.name.lstrip('_')}"
            if place.unit is edge.caller:
                name = free_name(model, base)
            else:
                name = f"{holder}.{free_attribute(model, base, unit.class_)}"
            line = cst.parse_statement(
                f"{name} = {wrapper(spelled, f'{holder}.{unit.name}', option)}"
            )
            assert isinstance(line, cst.SimpleStatementLine)
            made[id(place.loop)] = name
            edits.append(InsertBefore(before, [line]))
        name = made[id(place.loop)]
        edits.append(Replace(call.func, _as_called_from(edge, place, name)))
    if len(made) > 1 or not edits:
        return None
    return Rewrite(
        title=f"Wrap `{unit.name}` in a tf.function for each run of what sets its state",
        edits=edits,
        applicability=Applicability.UNSAFE,
        assumption="assumes that all callers pass tensors, and that outer Python state stays while "
        "the loop runs" + on_trust(model, unit.body),
        unit=unit.qualname,
    )


def _as_called_from(edge: Edge, place: _Place, name: str) -> str:
    """The name of the traced function as the caller of the step spells it."""
    if place.unit is edge.caller:
        return name
    return f"{edge.caller.parameters[0].name}.{name.rpartition('.')[2]}"


def _is_lifted(unit: Unit, blocker: Blocker) -> bool:
    """Whether a blocker does not count where the traced function is no decorated method."""
    return blocker.reason is Reason.UNHASHABLE and blocker.node is unit.node


def _place(
    model: SemanticModel, unit: Unit, edge: Edge, blockers: Sequence[Blocker]
) -> _Place | None:
    """The outermost loop, around a call or around what runs the method that holds it, in which
    nothing sets the state."""
    found: _Place | None = None
    inside: list[Loop] = []
    caller, call = edge.caller, edge.node
    seen: set[int] = set()
    while id(caller) not in seen and _is_own_call(model, unit, caller, call):
        seen.add(id(caller))
        if any(isinstance(around, cst.BaseComp) for around in repeating(model, call)):
            break
        loops = model.loops.around(call, caller)
        free = [loop for loop in loops if not _left(model, unit, loop)]
        if free:
            inside = [*free, *inside]
            found = _Place(caller, free[0], inside)
        if len(free) < len(loops) or _sets(model, blockers, caller):
            break
        edges = model.calls.from_others(caller)
        if len(edges) != 1 or not _needs_set_up(model, blockers, edges[0].caller):
            break
        caller, call = edges[0].caller, edges[0].node
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


def _needs_set_up(model: SemanticModel, blockers: Sequence[Blocker], unit: Unit) -> bool:
    """Whether a method alone sets some of the state, so that the methods it runs cannot do without."""
    state = model.ask(Safety).state
    for read in (blocker.read for blocker in blockers):
        if not isinstance(read, cst.Attribute) or unit.class_ is None:
            continue
        writes = [*model.flow.attributes.written(unit.class_, read.attr.value)]
        units = [model.unit(write.target) for write in writes]
        if units and all(setter is unit for setter in units) and not state.constructs(unit):
            return True
    return False


def _pays(model: SemanticModel, blockers: Sequence[Blocker], place: _Place) -> bool:
    """Whether the loops run a step often enough for a trace that each run of their method makes."""
    if hardly_pays(model, place.inside):
        return False
    is_new = _sets(model, blockers, place.unit)
    return is_new or not (model.contexts.hot_loops(place.unit) or is_repeated(model, place.unit))
