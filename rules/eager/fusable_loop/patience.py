"""Counters of Python's that end a loop at a limit: `waited += 1`, `if waited >= patience: break`.

What grows by one a turn, and is set back to 0, comes to a limit after as many turns as it lacks, or later.
So many steps may be one call: only the last of them may end the loop, and Python counts as it did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.edits import Statement, is_statement
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope
from tfxla_lint.semantics.syntax import bound_names
from tfxla_lint.semantics.values import Kind

from .stop import leaving_in

#: What runs a part of itself again and again, or may.
_REPEATING = (cst.For, cst.While, cst.BaseComp, cst.FunctionDef, cst.Lambda)
#: Comparisons that a growing number passes once it is at its limit, with what it lacks less.
_REACHING = {cst.GreaterThanEqual: 0, cst.Equal: 0, cst.GreaterThan: 1}


@dataclass(frozen=True)
class Patience:
    """The statement of a loop that ends it by a counter.

    `others` are the parts of it that may run on any turn. `lacks` spells in how many turns it ends at
    the earliest; `most` is the largest number that this may be, None where that is not known.
    """

    statement: Statement
    others: list[cst.CSTNode]
    lacks: str
    most: int | None


def patience_of(model: SemanticModel, loop: cst.For, after: Sequence[Statement]) -> Patience | None:
    """The one statement behind a step that leaves its loop, as soon as a counter is at its limit."""
    leaving = [node for statement in after for node in leaving_in(statement)]
    ending = next((a for n in leaving for a in model.ancestors(n) if isinstance(a, cst.If)), None)
    if len(leaving) != 1 or ending is None or not _ends_with(ending, leaving[0]):
        return None
    counted = _Counter.of(model, loop, ending.test)
    if counted is None:
        return None
    others: list[cst.CSTNode] = [ending.test]
    child: cst.CSTNode = ending
    for parent in model.ancestors(ending):
        if parent is loop.body:
            break
        if isinstance(parent, cst.IndentedBlock):
            others += [statement for statement in parent.body if statement is not child]
        elif isinstance(parent, cst.If):
            branches = [part for part in (parent.body, parent.orelse) if part is not None]
            others += [parent.test, *(part for part in branches if part is not child)]
        elif not isinstance(parent, cst.Else):
            return None
        child = parent
    if not is_statement(child):
        return None
    return Patience(child, others, counted.lacks, counted.most)


def _ends_with(ending: cst.If, leaving: cst.CSTNode) -> bool:
    """Whether a condition leads to the end of its loop, and nowhere else."""
    last = ending.body.body[-1] if ending.orelse is None else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return small is leaving and not isinstance(leaving, cst.Continue)


@dataclass(frozen=True)
class _Counter:
    lacks: str
    most: int | None

    @classmethod
    def of(cls, model: SemanticModel, loop: cst.For, test: cst.BaseExpression) -> _Counter | None:
        """What `counter >= limit` says of the turns that are left; None where it is no such test."""
        if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
            return None
        (compared,), name = test.comparisons, test.left
        more, limit = _REACHING.get(type(compared.operator)), compared.comparator
        if more is None or not isinstance(name, cst.Name) or not _counts(model, loop, name.value):
            return None
        value = model.value(limit)
        is_fixed = isinstance(limit, cst.Integer) or (
            isinstance(limit, cst.Name) and limit.value not in bound_names([loop])
        )
        if not is_fixed or value.kind is not Kind.INT or value.maybe_none:
            return None
        text = f"{model.code(limit).strip()} - {name.value}" + (f" + {more}" if more else "")
        is_known = type(value.constant) is int and not _is_given(model, loop, limit)
        most = value.constant + more if is_known else None
        return cls(text if most is not None and most > 0 else f"max(1, {text})", most)


def _is_given(model: SemanticModel, loop: cst.For, limit: cst.BaseExpression) -> bool:
    """Whether callers say what the limit is, of whom some may not be seen."""
    scope: Scope | None = model.unit(loop).scope
    name = limit.value if isinstance(limit, cst.Name) else ""
    while scope is not None and name not in scope.bindings:
        scope = scope.parent
    bindings = scope.bindings[name] if scope is not None else []
    return any(binding.kind is not BindingKind.ASSIGNMENT for binding in bindings)


def _counts(model: SemanticModel, loop: cst.For, name: str) -> bool:
    """Whether a name is a number that each turn makes one larger at most, or 0, and nothing else."""
    unit = model.unit(loop)
    bindings = unit.scope.bindings.get(name, [])
    growing = [binding for binding in bindings if _grows(model, binding)]
    if len(growing) != 1:
        return False
    around = [n for n in model.ancestors(growing[0].node) if isinstance(n, _REPEATING)]
    if not around or around[0] is not loop:
        return False
    others = [binding for binding in bindings if binding is not growing[0]]
    return all(model.unit(each.node) is unit and _is_zero(model, each) for each in others)


def _grows(model: SemanticModel, binding: Binding) -> bool:
    """Whether this makes a number larger by one, or 0: `n += 1`, `n = n + 1`, `n = 0 if new else n + 1`."""
    if binding.kind is BindingKind.AUGMENTED:
        statement = model.parent(binding.node)
        is_sum = isinstance(statement, cst.AugAssign) and type(statement.operator) is cst.AddAssign
        return is_sum and isinstance(statement, cst.AugAssign) and _is(model, statement.value, 1)
    value = binding.value
    if isinstance(value, cst.IfExp):
        first, second = value.body, value.orelse
        zero, value = (first, second) if _is(model, first, 0) else (second, first)
        if not _is(model, zero, 0):
            return False
    if not isinstance(value, cst.BinaryOperation) or not isinstance(value.operator, cst.Add):
        return False
    is_own = isinstance(value.left, cst.Name) and value.left.value == binding.name
    return is_own and _is(model, value.right, 1)


def _is_zero(model: SemanticModel, binding: Binding) -> bool:
    if binding.kind is not BindingKind.ASSIGNMENT:
        return False
    return _is(model, binding.value if binding.value is not None else binding.node, 0)


def _is(model: SemanticModel, node: cst.CSTNode, number: int) -> bool:
    constant = model.value(node).constant
    return type(constant) is int and constant == number
