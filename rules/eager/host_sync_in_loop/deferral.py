"""Names that may hold something else until a loop is over, since nothing looks before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Trait
from tfxla_lint.semantics.loops import Loop
from tfxla_lint.semantics.scopes import Binding, ScopeKind
from tfxla_lint.semantics.syntax import dotted, walk
from tfxla_lint.semantics.units import Unit

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

#: Functions and methods that only read a value, the same one whenever they are called.
_READING = behaviour.names(Trait.CONVERTS) | {"builtins.round"}
_READING_METHODS = behaviour.methods(Effect.READS_VALUE, "tensor")
#: Functions that may see the names of a unit without naming them.
_LOOKING = behaviour.names(Trait.LOOKS)
_LEAVING = (cst.Return, cst.Yield, cst.Await)
_TRIES = (cst.Try, cst.TryStar)


@dataclass(frozen=True, slots=True)
class Deferral:
    """`start` is what the name holds before `loop`, `reads` are those in the loop but for the one
    asked about."""

    start: cst.BaseExpression
    loop: Loop
    reads: list[cst.Name]


def deferral(model: SemanticModel, holder: cst.Name) -> Deferral | None:
    """The outermost loop after which a name that it changes at `holder` can be put right.

    The name is a plain one of the unit, bound before that loop and in it at most at `holder`.
    No other function knows it, nothing reads it between, and no way out of the loop leads past its
    end to a reader.
    """
    unit = model.unit(holder)
    if model.binder.scope(holder).home(holder.value) is not unit.scope:
        return None
    made = _start(model, holder, unit)
    start = _value(model, made) if made is not None else None
    reads = reads_of(model, holder.value, unit)
    if made is None or start is None or reads is None or unit.is_async:
        return None
    making = model.ancestors(made.node)
    loop = next(each for each in model.loops.around(holder, unit) if each not in making)
    if not _runs_to_its_end(model, loop) or _is_caught(model, holder, loop, reads):
        return None
    inside = {id(node) for node in walk(loop)}
    bound = [b.node for b in unit.scope.bindings[holder.value] if id(b.node) in inside]
    if any(node is not holder for node in bound):
        return None
    order = {id(node): at for at, node in enumerate(walk(unit.node))}
    if any(order[id(made.node)] < order[id(read)] < order[id(loop)] for read in reads):
        return None
    return Deferral(start, loop, [r for r in reads if id(r) in inside and r is not holder])


def _start(model: SemanticModel, holder: cst.Name, unit: Unit) -> Binding | None:
    """The unit's own binding that the turns begin with."""
    for loop in reversed(model.loops.around(holder, unit)):
        made = model.flow.reached_at(holder, loop).only
        if made is not None:
            is_own = made.scope is unit.scope and model.unit(made.node) is unit
            return made if is_own else None
    return None


def _value(model: SemanticModel, made: Binding) -> cst.BaseExpression | None:
    """What an assignment binds the name to, and nothing else."""
    statement = next(
        (a for a in model.ancestors(made.node) if isinstance(a, (cst.Assign, cst.AnnAssign))), None
    )
    if statement is None or (isinstance(statement, cst.Assign) and len(statement.targets) != 1):
        return None
    return model.flow.given(made)


def reads_of(model: SemanticModel, name: str, unit: Unit) -> list[cst.Name] | None:
    """All reads of a name of the unit; None where another function may read or bind it."""
    if any(model.unit(b.node) is not unit for b in unit.scope.bindings.get(name, ())):
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
    """Whether an exception may lead from the loop to code that reads the name."""
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


def reading(
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
            before = f"{model.code(call.func)}({before}"
            others = (model.code(a.value) for a in call.args[1:])
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
