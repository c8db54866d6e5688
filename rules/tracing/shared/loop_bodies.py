"""Whether the body of a Python loop can turn in the graph instead, and compute the same."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.safety.draws import random_calls
from tfxla_lint.semantics.safety.verdict import Safety
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import target_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import TENSOR_LIKE

from .branch_tests import is_tensor_test
from .invariants import Invariants

_INDEX_ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)
_TAKES_INDEX = behaviour.names(Trait.TAKES_INDEX)


def can_turn_in_graph(model: Answers, unit: Unit, loop: cst.For) -> bool:
    """Whether `tf.range` may take the place of `range`.

    The body only assigns to names, or leaves on a tensor; each name that a turn hands to the next keeps its dtype and
    shape, and the counter is used where a tensor can stand.
    """
    if loop.orelse is not None or not isinstance(loop.target, cst.Name):
        return False
    if not isinstance(loop.body, cst.IndentedBlock) or not _is_range(model, loop.iter):
        return False
    leaving = [s.test for s in loop.body.body if isinstance(s, cst.If) and _just_leaves(model, s)]
    plain = [s for s in loop.body.body if not (isinstance(s, cst.If) and _just_leaves(model, s))]
    if not all(_is_plain(model, statement) for statement in plain):
        return False
    counter = loop.target.value
    assigned = _assigned_names(loop)
    if counter in assigned or not _suits_counter(model, unit, loop, counter):
        return False
    if random_calls(model, loop.body.body) or _draws(model, loop):
        return False
    blockers = model.ask(Safety).region_blockers(unit, [*plain, *leaving], {counter})
    return not blockers and _keeps_state(model, unit, loop, assigned)


def _is_range(model: Answers, node: cst.BaseExpression) -> bool:
    if not isinstance(node, cst.Call) or model.names.one(node.func) != "builtins.range":
        return False
    return not any(argument.star or argument.keyword for argument in node.args)


def _is_plain(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a statement assigns to a name, or does nothing."""
    if isinstance(node, cst.SimpleStatementLine):
        return all(_is_plain(model, small) for small in node.body)
    if isinstance(node, cst.Assign):
        return len(node.targets) == 1 and isinstance(node.targets[0].target, cst.Name)
    if isinstance(node, cst.AugAssign):
        return isinstance(node.target, cst.Name)
    return isinstance(node, cst.Pass)


def _just_leaves(model: Answers, node: cst.If) -> bool:
    """Whether an `if` on a tensor does nothing but `break`."""
    if node.orelse is not None or not is_tensor_test(model, node.test):
        return False
    body = node.body.body
    line = body[0] if len(body) == 1 else None
    small = line.body if isinstance(line, cst.SimpleStatementLine) else [line]
    return len(small) == 1 and isinstance(small[0], cst.Break)


def _assigned_names(loop: cst.For) -> list[str]:
    found: dict[str, None] = {}
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, (cst.AssignTarget, cst.AugAssign)):
            found.update(dict.fromkeys(target_names(node.target)))
    return list(found)


def _draws(model: Answers, loop: cst.For) -> bool:
    """Whether first-party code that the body runs draws random numbers."""
    for node in walk(loop.body):
        if isinstance(node, cst.Call):
            for callee in model.callees(node):
                if random_calls(model, callee.unit.body):
                    return True
    return False


def _suits_counter(model: Answers, unit: Unit, loop: cst.For, counter: str) -> bool:
    """Whether every read of the counter takes a tensor of int32 as it takes a Python number."""
    inside = {id(node) for node in walk(loop.body)}
    reads = [n for n in unit.scope.reads.get(counter, ()) if id(n) in inside]
    if any(n for s in _inner_reads(model, loop, counter) for n in [s] if n not in reads):
        return False
    after = model.flow.liveness(unit.scope).after(loop)
    return counter not in after and all(_takes_tensor(model, read) for read in reads)


def _inner_reads(model: Answers, loop: cst.For, counter: str) -> list[cst.Name]:
    """The reads of the counter, also from comprehensions and functions inside of the loop."""
    return [
        node
        for node in walk(loop.body)
        if isinstance(node, cst.Name)
        and node.value == counter
        and any(read is node for read in model.binder.scope(node).reads.get(counter, ()))
    ]


def _takes_tensor(model: Answers, node: cst.CSTNode) -> bool:
    parent = model.parent(node)
    if isinstance(parent, cst.BinaryOperation) and isinstance(parent.operator, _INDEX_ARITHMETIC):
        other = parent.right if parent.left is node else parent.left
        return isinstance(other, cst.Integer) and _takes_tensor(model, parent)
    if isinstance(parent, cst.Index):
        element = model.parent(parent)
        holder = model.parent(element) if element is not None else None
        return isinstance(holder, cst.Subscript) and model.value(holder.value).is_tensor
    if isinstance(parent, cst.Arg):
        call = model.parent(parent)
        return isinstance(call, cst.Call) and model.names.one(call.func) in _TAKES_INDEX
    return False


def _keeps_state(model: Answers, unit: Unit, loop: cst.For, assigned: list[str]) -> bool:
    liveness = model.flow.liveness(unit.scope)
    after = liveness.after(loop)
    carried = liveness.before(loop.body.body, after) & set(assigned)
    invariants = Invariants(model, unit, loop)
    for name in assigned:
        start = model.flow.reached_at(_some_read(loop, name), loop).only
        if name in carried and (start is None or not _is_tensor_at(model, start)):
            return False
        if name in carried and not invariants.holds(name):
            return False
        if name in after and name not in carried:
            return False
    return bool(assigned)


def _some_read(loop: cst.For, name: str) -> cst.Name:
    """A `Name` node of the loop that is called so."""
    return next(n for n in walk(loop) if isinstance(n, cst.Name) and n.value == name)


def _is_tensor_at(model: Answers, binding: Binding) -> bool:
    """Whether a name is a tensor before the loop."""
    if binding.value is not None:
        return model.value(binding.value).is_tensor
    unit = model.unit(binding.node)
    parameter = unit.parameter(binding.name)
    if parameter is None:
        return False
    value = parameter.value
    return value.kind in TENSOR_LIKE and not value.mixed and not value.maybe_none
