"""Jumps that depend on a tensor and leave a loop in a way that AutoGraph cannot express."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.semantics.autograph.tests import LoopForm, is_tensor_test, loop_form
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.units import Unit


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
    for node in unit.nodes(into_scopes=False):
        if isinstance(node, cst.Break):
            yield from _break(model, unit, node)
        elif isinstance(node, cst.Return):
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
    if not isinstance(node.body, cst.IndentedBlock) or not node.body.body:
        return False
    last = node.body.body[-1]
    ends = isinstance(last, cst.SimpleStatementLine) and isinstance(
        last.body[-1], (cst.Return, cst.Break, cst.Raise)
    )
    if isinstance(last, cst.If):
        ends = _always_leaves(last)
    if isinstance(node, cst.Else):
        return ends
    return ends and node.orelse is not None and _always_leaves(node.orelse)
