"""Which tests ask for the truth of a tensor, and which loops turn in the graph."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import libcst as cst

from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.guards import tests_around
from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.syntax import is_none
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.values import PYTHON_SCALARS, Kind, Value

from .single_tensor import is_one_tensor

_PYTHON_SEQUENCES = frozenset({Kind.LIST, Kind.TUPLE, Kind.STRING, Kind.SHAPE})


class LoopForm(Enum):
    """Where a loop of traced code turns: in the graph, or in Python, once per trace."""

    GRAPH = "graph"
    PYTHON = "Python"


def tensor_test(model: Answers, test: cst.BaseExpression) -> cst.BaseExpression | None:
    """The part of a test whose truth is asked first, where it surely is that of a tensor.

    Of `a and b` only `a` is asked for sure. No tensor is `== None`.
    """
    if isinstance(test, cst.BooleanOperation):
        return tensor_test(model, test.left)
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        return tensor_test(model, test.expression)
    if isinstance(test, cst.Comparison):
        sides = (test.left, *(target.comparator for target in test.comparisons))
        if any(map(is_none, sides)):
            return None
        is_asked = is_symbolic(model, test) and any(is_symbolic(model, _given(s)) for s in sides)
        return test if is_asked else None
    return test if is_symbolic(model, _given(test)) else None


def _given(node: cst.BaseExpression) -> cst.BaseExpression:
    """What `name := value` gives."""
    return node.value if isinstance(node, cst.NamedExpr) else node


def is_tensor_test(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether the truth of a test surely is that of a tensor."""
    return tensor_test(model, test) is not None


def only_tensor_tests(model: Answers, node: cst.CSTNode) -> list[cst.BaseExpression]:
    """The tests around `node`, nearest first, where all of them are tensors; else none."""
    tests = list(tests_around(model, node))
    return tests if all(is_tensor_test(model, test) for test in tests) else []


def loop_form(model: Answers, loop: cst.For | cst.While) -> LoopForm | None:
    """Where AutoGraph makes a loop turn; None where that is not known."""
    if isinstance(loop, cst.While):
        if is_tensor_test(model, loop.test):
            return LoopForm.GRAPH
        return LoopForm.PYTHON if _is_python_test(model, loop.test) else None
    return iterated_form(model, loop.iter)


def iterated_form(model: Answers, node: cst.BaseExpression) -> LoopForm | None:
    """Where a `for` over this expression turns."""
    value = model.value(node)
    if value.mixed or value.maybe_none:
        return None
    if value.kind is Kind.DATASET or is_one_tensor(model, node):
        return LoopForm.GRAPH
    name = model.names.one(node.func) if isinstance(node, cst.Call) else None
    if isinstance(node, cst.Call) and name == "builtins.range":
        return _range_form(model, node)
    if isinstance(node, cst.Call) and name in ("builtins.enumerate", "builtins.zip"):
        forms = {iterated_form(model, a.value) for a in node.args if a.keyword is None}
        return forms.pop() if len(forms) == 1 else None
    return LoopForm.PYTHON if value.kind in _PYTHON_SEQUENCES and _is_made_here(node) else None


def _is_made_here(node: cst.BaseExpression) -> bool:
    """Whether a Python sequence is written out, or a name or attribute that holds one."""
    return isinstance(node, (cst.List, cst.Tuple, cst.Name, cst.Attribute, cst.Call, cst.Subscript))


def _range_form(model: Answers, node: cst.Call) -> LoopForm | None:
    given = [argument.value for argument in node.args]
    if any(is_symbolic(model, value) for value in given):
        return LoopForm.GRAPH
    if all(_is_python_number(model.value(value)) for value in given):
        return LoopForm.PYTHON
    return None


def _is_python_number(value: Value) -> bool:
    return value.kind in PYTHON_SCALARS and not value.mixed


def _is_python_test(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether Python decides a test: all that it compares are Python numbers."""
    return all(_is_python_number(model.value(leaf)) for leaf in _operands(test))


def _operands(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    for part in judged(test):
        if isinstance(part, cst.Comparison):
            yield part.left
            yield from (target.comparator for target in part.comparisons)
        else:
            yield part
