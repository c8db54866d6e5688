"""Python that asks a traced tensor for its value where AutoGraph does not convert it.

AutoGraph converts `len`, `abs`, `int`, `float`, `sorted`, `range`, conditions, `and`, `or`, `not`.
What is listed here fails while tracing; each was seen on TensorFlow 2.21.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.effects.effect import EffectKind
from tfxla_lint.semantics.effects.excuses import is_excused
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic
from tfxla_lint.semantics.units import Unit

from ..shared.branch_tests import is_tensor_test
from ..shared.single_tensor import is_one_tensor
from .formatted import formatted_tensors

_ITERATING = frozenset({"max", "min", "sum", "any", "all", "list", "tuple", "set"})
_LARGEST = frozenset({"builtins.max", "builtins.min"})
_MATH = behaviour.leaves("math", Trait.NEEDS_NUMBER)


@dataclass(frozen=True, slots=True)
class PythonValue:
    """A node that needs the value of a tensor, `what` it is, and the `tensor`."""

    node: cst.CSTNode
    what: str
    tensor: cst.BaseExpression


_JUDGED: tuple[type[cst.CSTNode], ...] = (
    cst.Assert, cst.Comparison, cst.FormattedStringExpression, cst.BinaryOperation, cst.Call,
)  # fmt: skip


def python_values(model: SemanticModel, unit: Unit) -> Iterator[PythonValue]:
    """The nodes of a traced unit's own code that fail on a tensor without a value."""
    for node in unit.own(*_JUDGED):
        found = _judge(model, node)
        if found is not None and not is_excused(model, EffectKind.PYTHON, node):
            yield found


def _judge(model: SemanticModel, node: cst.CSTNode) -> PythonValue | None:
    if isinstance(node, cst.Assert):
        return (
            PythonValue(node, "`assert`", node.test) if is_tensor_test(model, node.test) else None
        )
    if isinstance(node, cst.Comparison):
        return _membership(model, node)
    for tensor in formatted_tensors(model, node):
        return PythonValue(node, "a format specification", tensor)
    return _call(model, node) if isinstance(node, cst.Call) else None


def _membership(model: SemanticModel, node: cst.Comparison) -> PythonValue | None:
    """`x in [1, 2]`, which compares and asks each comparison for its truth."""
    if len(node.comparisons) != 1:
        return None
    target = node.comparisons[0]
    if not isinstance(target.operator, (cst.In, cst.NotIn)):
        return None
    if is_symbolic(model, target.comparator):
        is_one = is_one_tensor(model, target.comparator)
        return PythonValue(node, "`in`", target.comparator) if is_one else None
    if not isinstance(target.comparator, (cst.List, cst.Tuple)):
        return None
    members = [element.value for element in target.comparator.elements]
    if not members or not all(isinstance(m, (cst.BaseNumber, cst.BaseString)) for m in members):
        return None
    return PythonValue(node, "`in`", node.left) if is_symbolic(model, node.left) else None


def _call(model: SemanticModel, node: cst.Call) -> PythonValue | None:
    name = model.names.one(node.func)
    if name is None or not node.args or any(argument.star for argument in node.args):
        return None
    home, _, last = name.rpartition(".")
    plain = [argument.value for argument in node.args if argument.keyword is None]
    tensor: cst.BaseExpression | None = None
    if home == "math" and last in _MATH:
        tensor = _first(model, plain)
    elif home == "builtins" and last == "bool":
        tensor = next((value for value in plain if is_tensor_test(model, value)), None)
    elif home == "builtins" and last in _ITERATING and plain:
        tensor = _iterated(model, last, plain)
    return PythonValue(node, f"`{last}`", tensor) if tensor is not None else None


def _first(model: SemanticModel, values: list[cst.BaseExpression]) -> cst.BaseExpression | None:
    return next((value for value in values if is_meant_symbolic(model, value)), None)


def is_meant_symbolic(model: SemanticModel, node: cst.BaseExpression) -> bool:
    """Whether an expression is a tensor without a value, or would be if Python did not fail on one.

    In `max(0.0, min(1.0, x))` both functions have to be replaced.
    """
    if is_symbolic(model, node):
        return True
    if not isinstance(node, cst.Call) or model.names.one(node.func) not in _LARGEST:
        return False
    return any(is_meant_symbolic(model, argument.value) for argument in node.args)


def _iterated(
    model: SemanticModel, name: str, plain: list[cst.BaseExpression]
) -> cst.BaseExpression | None:
    """The tensor that a builtin iterates over, or whose truth it asks for."""
    if len(plain) > 1 and name in ("max", "min"):
        return _first(model, plain)
    if is_symbolic(model, plain[0]):
        return plain[0]
    if not isinstance(plain[0], (cst.List, cst.Tuple)):
        return None
    members = [element.value for element in plain[0].elements]
    if name in ("max", "min") and len(members) > 1:
        return _first(model, members)
    if name in ("any", "all") and members and is_symbolic(model, members[0]):
        return members[0]
    return None
