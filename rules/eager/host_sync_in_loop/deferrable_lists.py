"""Lists that a loop fills with the values of tensors, where the tensors would do until it is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.edits import Statement
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.turns import is_rare, runs_steps
from tfxla_lint.semantics.values import Kind

from .deferral import deferral, reading
from .flushed_lists import flushed_in, is_empty_list
from .live_values import may_be_live
from .syncs import Sync

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_TARGETS = (cst.Tuple, cst.List, cst.Element, cst.StarredElement)


@dataclass(frozen=True, slots=True)
class DeferrableList:
    """`name.append(element)`, where `element` reads `tensor`, and does nothing but.

    The text of the reading stands in `before` and `after` what is read. Once `loop` is over, all
    values can be read; `picked` are the reads of single values and slices until then. Where each so
    many turns empty the list, they are read before `flush`, the first statement that needs them.
    """

    name: str
    element: cst.BaseExpression
    tensor: cst.BaseExpression
    before: str
    after: str
    loop: Loop
    picked: list[cst.Subscript]
    flush: Statement | None = None


def deferrable_list(model: SemanticModel, sync: Sync) -> DeferrableList | None:
    """The list that gets the value which `sync` waits for, if nothing needs it during the loop.

    It is empty before the loop, and nothing else changes it there or hands it on. What each turn
    adds may be a list of values, of what one traced call gives.
    """
    element, before, after = reading(model, sync.tensor)
    tensor = sync.tensor
    if (members := _members(model, element, tensor)) is not None:
        name, given = model.code(tensor), members.for_in.iter
        before, after, element, tensor = (
            f"[{before}{name}{after} for {name} in ",
            "]",
            members,
            given,
        )
    holder = _list_of(model, element)
    if holder is None or may_be_live(model, tensor):
        return None
    around = model.loops.around(holder, model.unit(holder))
    flush = flushed_in(model, holder, around[-1]) if around else None
    if flush is not None:
        return DeferrableList(holder.value, element, tensor, before, after, around[-1], [], flush)
    found = deferral(model, holder)
    if found is None or not is_empty_list(model, found.start):
        return None
    picked = [_picked(model, read, holder) for read in found.reads]
    parts = [part for part in picked if part is not None]
    if len(parts) != len(picked):
        return None
    return DeferrableList(holder.value, element, tensor, before, after, found.loop, parts)


def _members(
    model: SemanticModel, element: cst.BaseExpression, tensor: cst.BaseExpression
) -> cst.ListComp | None:
    """`[t.numpy() for t in losses]`, where a traced call gives the `losses` to this turn alone."""
    made = model.parent(element)
    if not isinstance(made, cst.ListComp) or made.elt is not element:
        return None
    clause = made.for_in
    if clause.ifs or clause.inner_for_in is not None or clause.asynchronous is not None:
        return None
    names = [n for n in (tensor, clause.target, clause.iter) if isinstance(n, cst.Name)]
    if len(names) != 3 or names[0].value != names[1].value:
        return None
    given = model.flow.reached(names[2]).only
    call = given.value if given is not None else None
    if not isinstance(call, cst.Call) or given is None or model.unit(call) is not model.unit(made):
        return None
    callees = model.callees(call)
    if not callees or any(callee.tracing is None for callee in callees):
        return None
    reads = given.scope.reads.get(names[2].value, ())
    return made if all(_only_looks(model, read) for read in reads) else None


def _only_looks(model: SemanticModel, read: cst.Name) -> bool:
    """Whether a read of a list or tuple leaves it as it is."""
    holder = model.parent(read)
    if isinstance(holder, cst.Subscript):
        return not _is_target(model, holder)
    call = model.parent(holder) if isinstance(holder, cst.Arg) else None
    if isinstance(call, cst.Call):
        return not model.callees(call)
    return isinstance(holder, (cst.CompFor, cst.For))


def _picked(model: SemanticModel, read: cst.Name, holder: cst.Name) -> cst.Subscript | None:
    """The part that a read of the list takes, where it does that only now and then."""
    part = model.parent(read)
    if isinstance(part, cst.Subscript) and _picks(model, part, read, holder):
        return part
    return None


def _list_of(model: SemanticModel, element: cst.BaseExpression) -> cst.Name | None:
    """The name of the list to which a statement of its own appends an expression."""
    argument = model.parent(element)
    call = model.parent(argument) if isinstance(argument, cst.Arg) else None
    if not isinstance(call, cst.Call) or len(call.args) != 1 or call.args[0].star:
        return None
    if not isinstance(call.func, cst.Attribute) or call.func.attr.value != "append":
        return None
    is_statement = isinstance(model.parent(call), cst.Expr)
    holder = call.func.value
    return holder if is_statement and isinstance(holder, cst.Name) else None


def _picks(model: SemanticModel, part: cst.Subscript, read: cst.Name, holder: cst.Name) -> bool:
    """Whether `losses[-1]` or `losses[-20:]` is read, and only now and then."""
    if part.value is not read or len(part.slice) != 1 or _is_target(model, part):
        return False
    index = part.slice[0].slice
    if isinstance(index, cst.Index) and model.value(index.value).kind is not Kind.INT:
        return False
    unit = model.unit(holder)
    loops, around = model.loops.around(holder, unit), model.loops.around(part, unit)
    if model.unit(part) is not unit or around != loops[: len(around)] or not around:
        return False
    if around == loops:
        return is_rare(model, part, loops[-1])
    return runs_steps(model, around[-1])


def _is_target(model: SemanticModel, node: cst.CSTNode) -> bool:
    """Whether a statement binds or deletes an expression."""
    for holder, child in _holders(model, node):
        if isinstance(holder, (cst.AssignTarget, cst.Del, cst.AsName)):
            return True
        if isinstance(holder, (cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor)):
            return child is holder.target
        if not isinstance(holder, _TARGETS):
            return False
    return False


def _holders(model: SemanticModel, node: cst.CSTNode) -> Iterator[tuple[cst.CSTNode, cst.CSTNode]]:
    """What holds a node, with the part that it holds it in, nearest first."""
    child = node
    for ancestor in model.ancestors(node):
        yield ancestor, child
        child = ancestor
