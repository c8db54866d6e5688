"""Jumps that depend on a tensor and leave a loop in a way that AutoGraph cannot express."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.scopes import Binding
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import LoopForm, is_tensor_test, loop_form


@dataclass(frozen=True, slots=True)
class Jump:
    """A `return` or `break`, what is wrong with it, and the loop or test that makes it so."""

    node: cst.Return | cst.Break
    loop: cst.For | cst.While
    what: str
    cause: cst.CSTNode
    remark: str


def unsupported_jumps(model: SemanticModel, unit: Unit) -> Iterator[Jump]:
    """The jumps of a unit on which tracing fails."""
    for node in unit.own(cst.Break, cst.Return):
        if isinstance(node, cst.Break):
            yield from _break(model, unit, node)
        else:
            yield from _return(model, unit, node)


def _break(model: SemanticModel, unit: Unit, node: cst.Break) -> Iterator[Jump]:
    loops = model.loops.around(node, unit)
    if not loops:
        return
    loop, test = loops[-1], _test_inside(model, node, loops[-1])
    if test is not None and loop_form(model, loop) is LoopForm.PYTHON:
        what = "`break` on a tensor cannot leave a loop that turns in Python"
        yield Jump(node, loop, what, test, "a tensor decides on the `break`")


def _return(model: SemanticModel, unit: Unit, node: cst.Return) -> Iterator[Jump]:
    for loop in reversed(model.loops.around(node, unit)):
        test = _test_inside(model, node, loop)
        form = loop_form(model, loop)
        if test is None or form is None:
            continue
        if form is LoopForm.GRAPH:
            what = "AutoGraph cannot `return` from inside a loop that turns in the graph"
        else:
            what = "`return` on a tensor cannot leave a loop that turns in Python"
        yield Jump(node, loop, what, test, "a tensor decides on the `return`")
        return


def _test_inside(
    model: SemanticModel, node: cst.CSTNode, loop: cst.For | cst.While
) -> cst.BaseExpression | None:
    """The nearest test on a tensor between a jump and the loop, with only such tests between."""
    found: cst.BaseExpression | None = None
    child, parent = node, model.parent(node)
    while parent is not None and parent is not loop:
        if isinstance(parent, cst.If) and child is not parent.test:
            if not is_tensor_test(model, parent.test):
                return None
            if _always_leaves(parent):
                return None
            found = found or parent.test
        child, parent = parent, model.parent(parent)
    return found


def _always_leaves(node: cst.If | cst.Else) -> bool:
    """Whether every branch of an `if` ends in a jump: the loop does not go on after it."""
    last = node.body.body[-1] if node.body.body else None
    if isinstance(last, cst.SimpleStatementLine):
        last = last.body[-1]
    ends = isinstance(last, (cst.Return, cst.Break, cst.Raise))
    if isinstance(last, cst.If):
        ends = _always_leaves(last)
    if isinstance(node, cst.Else):
        return ends
    return ends and node.orelse is not None and _always_leaves(node.orelse)


@dataclass(frozen=True, slots=True)
class Turning:
    """A `while` that begins with Python values and goes on with the tensor that `change` assigns."""

    loop: cst.While
    name: str
    change: cst.BaseExpression


def turning_conditions(model: SemanticModel, unit: Unit) -> Iterator[Turning]:
    """The `while`s of a unit whose condition is Python's at first and the graph's later."""
    for loop in unit.own(cst.While):
        if is_tensor_test(model, loop.test):
            continue
        names = [node for node in walk(loop.test) if isinstance(node, cst.Name)]
        starts = {
            node.value: model.flow.reached_at(node, loop).only
            for node in names
            if _is_read(model, node)
        }
        if not starts or not all(_is_constant(model, start) for start in starts.values()):
            continue
        change = next((c for name in starts for c in _tensors(model, unit, loop, name)), None)
        if change is not None:
            yield Turning(loop, *change)


def _is_read(model: SemanticModel, node: cst.Name) -> bool:
    return any(read is node for read in model.binder.scope(node).reads.get(node.value, ()))


def _is_constant(model: SemanticModel, start: Binding | None) -> bool:
    given = start.value if start is not None else None
    return given is not None and model.value(given).has_constant


def _tensors(
    model: SemanticModel, unit: Unit, loop: cst.While, name: str
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """The tensor that each turn assigns to a name of the condition, in the body itself."""
    for binding in unit.scope.bindings.get(name, ()):
        holders = (
            a for a in model.ancestors(binding.node) if isinstance(a, cst.BaseCompoundStatement)
        )
        if next(holders, None) is loop and binding.value is not None:
            if is_symbolic(model, binding.value) or is_tensor_test(model, binding.value):
                yield name, binding.value
