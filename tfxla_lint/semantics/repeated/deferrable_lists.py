"""Lists that a loop fills with the values of tensors, where the tensors would do until it is over."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.reaching import assigned_value, definition
from tfxla_lint.semantics.repeated.live_values import may_be_live
from tfxla_lint.semantics.repeated.syncs import Sync
from tfxla_lint.semantics.scopes import Binding, ScopeKind
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.turns import is_rare, runs_steps
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: Functions and methods that only read a value, the same one whenever they are called.
_READING = frozenset({"builtins.float", "builtins.int", "builtins.bool", "builtins.round"})
_READING_METHODS = frozenset({"numpy", "item", "tolist"})
#: Functions that may see the names of a unit without naming them.
_LOOKING = frozenset(f"builtins.{name}" for name in ("globals", "locals", "vars", "eval", "exec"))
_LEAVING = (cst.Return, cst.Yield, cst.Await)
_TRIES = (cst.Try, cst.TryStar)
_TARGETS = (cst.Tuple, cst.List, cst.Element, cst.StarredElement)


@dataclass(frozen=True, slots=True)
class DeferrableList:
    """`name.append(element)`, where `element` reads `tensor`, and does nothing but.

    The text of the reading stands in `before` and `after` what is read. Once `loop` is over, all
    values can be read; `picked` are the reads of single values and slices until then.
    """

    name: str
    element: cst.BaseExpression
    tensor: cst.BaseExpression
    before: str
    after: str
    loop: Loop
    picked: list[cst.Subscript]


def deferrable_list(model: SemanticModel, sync: Sync) -> DeferrableList | None:
    """The list that gets the value which `sync` waits for, if nothing needs it during the loop.

    The list is a plain name of the unit, made empty before the outermost loop that does not make
    it. Nothing else changes it or hands it on in that loop, and no way out of the loop leads past
    its end to a reader.
    """
    element, before, after = _reading(model, sync.tensor)
    holder = _list_of(model, element)
    if holder is None or may_be_live(model, sync.tensor):
        return None
    unit, name = model.unit(holder), holder.value
    made = definition(model, holder)
    if made is None or unit.is_async or not _is_made_empty(model, made, unit):
        return None
    loop = _outermost(model, holder, made)
    reads = _reads(model, name, unit)
    if loop is None or reads is None or not _runs_to_its_end(model, loop):
        return None
    if _is_caught(model, holder, loop, reads):
        return None
    picked = _picked(model, holder, loop, made, reads)
    if picked is None:
        return None
    return DeferrableList(name, element, sync.tensor, before, after, loop, picked)


def _reading(
    model: SemanticModel, tensor: cst.BaseExpression
) -> tuple[cst.BaseExpression, str, str]:
    """The largest expression that does nothing but read a tensor, and its text around the tensor."""
    node, before, after = tensor, "", ""
    while True:
        holder = model.parent(node)
        call = model.parent(holder) if holder is not None else None
        if not isinstance(call, cst.Call):
            return node, before, after
        if isinstance(holder, cst.Arg) and _reads_value(model, call, holder):
            before = f"{model.module.code_for_node(call.func)}({before}"
            others = (model.module.code_for_node(a.value) for a in call.args[1:])
            after = ", ".join([after, *others]) + ")"
        elif isinstance(holder, cst.Attribute) and call.func is holder and not call.args:
            if holder.attr.value not in _READING_METHODS:
                return node, before, after
            after += f".{holder.attr.value}()"
        else:
            return node, before, after
        node = call


def _reads_value(model: SemanticModel, call: cst.Call, argument: cst.Arg) -> bool:
    """`float(x)`, `round(x, 4)`."""
    if call.args[0] is not argument or any(a.star or a.keyword for a in call.args):
        return False
    others = call.args[1:]
    return model.names.one(call.func) in _READING and all(
        isinstance(other.value, cst.Integer) for other in others
    )


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


def _is_made_empty(model: SemanticModel, made: Binding, unit: Unit) -> bool:
    """Whether a binding of the unit's own makes a list under no other name, and nothing in it."""
    if made.scope is not unit.scope or model.unit(made.node) is not unit:
        return False
    statement = next(
        (a for a in model.ancestors(made.node) if isinstance(a, (cst.Assign, cst.AnnAssign))), None
    )
    if statement is None or (isinstance(statement, cst.Assign) and len(statement.targets) != 1):
        return False
    value = made.value
    if value is None:
        unpacked = assigned_value(model, made)
        if unpacked is None or not isinstance(unpacked[0], (cst.Tuple, cst.List)):
            return False
        value = unpacked[0].elements[unpacked[1]].value
    if isinstance(value, cst.Call):
        return model.names.one(value.func) == "builtins.list" and not value.args
    return isinstance(value, cst.List) and not value.elements


def _outermost(model: SemanticModel, holder: cst.Name, made: Binding) -> Loop | None:
    """The outermost of the loops around the `append` in which the list is not made."""
    around = model.loops.around(holder, model.unit(holder))
    making = model.ancestors(made.node)
    return next((loop for loop in around if loop not in making), None)


def _reads(model: SemanticModel, name: str, unit: Unit) -> list[cst.Name] | None:
    """All reads of a name of the unit; None where another function may read or bind it."""
    if any(model.unit(b.node) is not unit for b in unit.scope.bindings[name]):
        return None
    found = list(unit.scope.reads.get(name, ()))
    for scope in model.binder.inner_scopes.values():
        if scope is unit.scope or name not in scope.reads or scope.home(name) is not unit.scope:
            continue
        if scope.kind is not ScopeKind.COMPREHENSION:
            return None
        found += scope.reads[name]
    return found


def _runs_to_its_end(model: SemanticModel, loop: Loop) -> bool:
    """Whether the loop is left at its end or by an exception, and names what it reads."""
    if loop.orelse is not None:
        return False
    for node in walk(loop, into_scopes=False):
        if isinstance(node, _LEAVING) or getattr(node, "asynchronous", None) is not None:
            return False
        if isinstance(node, cst.Call) and model.names.of(node.func) & _LOOKING:
            return False
    return True


def _is_caught(model: SemanticModel, holder: cst.Name, loop: Loop, reads: list[cst.Name]) -> bool:
    """Whether an exception may lead from the loop to code that reads the list."""
    is_inside = True
    for ancestor in model.ancestors(holder):
        if ancestor is model.unit(holder).node:
            return False
        if isinstance(ancestor, _TRIES):
            if is_inside or any(_is_read_after_failure(ancestor, loop, read) for read in reads):
                return True
        elif isinstance(ancestor, cst.With) and any(_swallows(i.item) for i in ancestor.items):
            return True
        is_inside = is_inside and ancestor is not loop
    return False


def _is_read_after_failure(guard: cst.Try | cst.TryStar, loop: Loop, read: cst.Name) -> bool:
    """Whether a read may follow where an exception ends the loop in a `try` statement."""
    if guard.finalbody is not None and _holds(guard.finalbody, read):
        return not _holds(guard.finalbody, loop)
    return bool(guard.handlers) and _holds(guard.body, loop) and not _holds(guard.body, read)


def _holds(node: cst.CSTNode, part: cst.CSTNode) -> bool:
    return any(inner is part for inner in walk(node))


def _swallows(manager: cst.BaseExpression) -> bool:
    """`contextlib.suppress(...)`, `pytest.raises(...)`."""
    head = manager.func if isinstance(manager, cst.Call) else manager
    word = (dotted(head) or "").rpartition(".")[2].lower()
    return "suppress" in word or "raises" in word


def _picked(
    model: SemanticModel, holder: cst.Name, loop: Loop, made: Binding, reads: list[cst.Name]
) -> list[cst.Subscript] | None:
    """The reads of parts of the list during the loop; None where another read sees the tensors."""
    order = {id(node): at for at, node in enumerate(walk(model.unit(holder).node))}
    inside = {id(node) for node in walk(loop)}
    found: list[cst.Subscript] = []
    for read in reads:
        if id(read) in inside:
            part = model.parent(read)
            if read is holder:
                continue
            if not isinstance(part, cst.Subscript) or not _picks(model, part, read, holder):
                return None
            found.append(part)
        elif order[id(made.node)] < order[id(read)] < order[id(loop)]:
            return None
    return found


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
