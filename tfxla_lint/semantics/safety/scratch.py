"""Attributes that only carry a value from where a method sets them to what it runs afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.effects.excuses import SETTING_UP
from tfxla_lint.semantics.flow.closure import ends_well
from tfxla_lint.semantics.safety.settled import is_own_object

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tfxla_lint.semantics.answers import Answers
    from tfxla_lint.semantics.flow.attributes import Write
    from tfxla_lint.semantics.units import ClassInfo, Unit


def scratch_of(model: Answers, node: cst.Attribute) -> Unit | None:
    """The one method that sets an attribute of an object of the project's, where whatever reads it runs in a
    call of that, after it is set: nothing is kept from one call to the next. None where that is not so."""
    info = model.value(node.value).class_
    return model.ask(_carrier, info, node.attr.value) if info is not None else None


def left_behind(model: Answers, nodes: Sequence[cst.CSTNode]) -> str:
    """What a trace of some code leaves in objects, in words that follow what else a rewrite assumes; none
    where that is nothing."""
    targets = (t.target for u in model.calls.run_by(nodes) for t in u.own(cst.AssignTarget))
    names = [
        f"`{target.attr.value}`"
        for target in targets
        if isinstance(target, cst.Attribute) and scratch_of(model, target) is model.unit(target)
    ]
    words = " or ".join(dict.fromkeys(names))
    return (
        f"; that nothing asks an object for {words} afterwards, which is of the trace then"
        if names
        else ""
    )


def _carrier(model: Answers, info: ClassInfo, name: str) -> Unit | None:
    writes = [
        write
        for write in model.flow.attributes.written(info, name)
        if model.unit(write.target).name not in SETTING_UP
    ]
    units = {id(unit): unit for unit in (model.unit(write.target) for write in writes)}
    if len(units) != 1 or not all(_sets_whole(model, write) for write in writes):
        return None
    (unit,) = units.values()
    row = {id(statement): place for place, statement in enumerate(unit.body)}
    first = min((_place(model, write.statement, row, is_own=True) for write in writes), default=-1)
    reads = _reads(model, info, name)
    is_after = first >= 0 and all(_runs_after(model, read, first, unit, row) for read in reads)
    return unit if is_after else None


def _sets_whole(model: Answers, write: Write) -> bool:
    unit = model.unit(write.target)
    is_assigned = isinstance(write.statement, cst.Assign) and write.value is not None
    return is_assigned and is_own_object(unit, write.target.value)


def _place(
    model: Answers, node: cst.CSTNode, row: Mapping[int, int], *, is_own: bool = False
) -> int:
    """Which of the statements of a function holds a node; -1 for none, and where it `is_own` for one that
    is more than that."""
    around = model.ancestors(node)
    return next((row[id(a)] for a in (around[:1] if is_own else around) if id(a) in row), -1)


def _reads(model: Answers, info: ClassInfo, name: str) -> Iterator[cst.Attribute]:
    """All that may read the attribute: also of what is not known."""
    for node in model.flow.attributes.named(name):
        if isinstance(model.parent(node), (cst.AssignTarget, cst.Del)):
            continue
        holder = model.value(node.value).class_
        if holder is None or info in holder.lineage() or holder in info.lineage():
            yield node


def _runs_after(
    model: Answers, read: cst.CSTNode, first: int, unit: Unit, row: Mapping[int, int]
) -> bool:
    """Whether a read is run after a statement of a function, in the same call of that."""

    def around(node: cst.CSTNode) -> Sequence[cst.CSTNode] | None:
        caller = model.unit(node)
        if caller is unit:
            return () if _place(model, node, row) > first else None
        if caller.is_module or model.calls.handed(caller):
            return None
        return [edge.node for edge in model.calls.callers(caller)] or None

    return ends_well(read, around)
