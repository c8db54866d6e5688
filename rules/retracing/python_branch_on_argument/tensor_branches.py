"""Whether a branch or loop on a Python number does the same on a tensor, turned by AutoGraph.

Only the plainest forms are taken: branches that bind the same names to tensors of one dtype, or
both return one; loops whose turns compute tensors anew that were there before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import block_statements, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value

from .python_branches import Branch, PythonBranch

if TYPE_CHECKING:
    from tfxla_lint.semantics.model import SemanticModel

_COMPARING = (
    cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.Equal, cst.NotEqual,
)  # fmt: skip


def can_be_tensor(model: SemanticModel, found: PythonBranch) -> bool:
    """Whether every use of a whole-number parameter does the same on a tensor."""
    unit, name = found.unit, found.parameter.name
    if any(model.value(call.argument.value).kind is not Kind.INT for call in found.calls):
        return False
    reads = unit.scope.reads.get(name, [])
    every = [n for n in unit.nodes() if isinstance(n, cst.Name) and n.value == name]
    if len(every) != len(reads) or len(found.branches) != len(reads):
        return False
    return all(
        model.unit(branch.read) is unit and _is_convertible(model, unit, branch)
        for branch in found.branches
    )


def _is_convertible(model: SemanticModel, unit: Unit, branch: Branch) -> bool:
    node = branch.node
    if isinstance(node, cst.If):
        return _is_plain_test(model, node.test, branch.read) and _is_plain_if(model, unit, node)
    if (
        not isinstance(node, cst.Call)
        or len(node.args) != 1
        or node.args[0].value is not branch.read
    ):
        return False
    loop = model.parent(node)
    if not isinstance(loop, cst.For) or loop.iter is not node or loop.orelse is not None:
        return False
    return _is_plain_loop(model, unit, loop)


def _is_plain_test(model: SemanticModel, test: cst.BaseExpression, read: cst.Name) -> bool:
    """`n < 3`, `n % 2 == 0`."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return False
    target = test.comparisons[0]
    if not isinstance(target.operator, _COMPARING):
        return False
    left = test.left
    if isinstance(left, cst.BinaryOperation) and isinstance(left.operator, cst.Modulo):
        if not _is_whole(model, left.right):
            return False
        left = left.left
    return left is read and _is_whole(model, target.comparator)


def _is_whole(model: SemanticModel, node: cst.BaseExpression) -> bool:
    return type(model.value(node).constant) is int


def _is_plain_if(model: SemanticModel, unit: Unit, node: cst.If) -> bool:
    orelse = node.orelse
    if isinstance(orelse, cst.If):
        return False
    first = _bound(model, node.body)
    second = _bound(model, orelse.body) if orelse is not None else {}
    if first is None or second is None:
        return _both_return(model, node)
    for name in {*first, *second}:
        sides = [
            model.value(side[name]) if name in side else _before(model, unit, name, node)
            for side in (first, second)
        ]
        if not _are_alike(sides[0], sides[1]):
            return False
    return bool(first)


def _bound(model: SemanticModel, body: cst.BaseSuite) -> dict[str, cst.BaseExpression] | None:
    """The names that plain assignments of a block bind, None where it does anything else."""
    found: dict[str, cst.BaseExpression] = {}
    for statement in block_statements(body):
        if not isinstance(statement, cst.SimpleStatementLine):
            return None
        for small in statement.body:
            if not isinstance(small, cst.Assign) or len(small.targets) != 1:
                return None
            target = small.targets[0].target
            if not isinstance(target, cst.Name) or not model.value(small.value).is_tensor:
                return None
            found[target.value] = small.value
    return found


def _before(model: SemanticModel, unit: Unit, name: str, at: cst.CSTNode) -> Value | None:
    """What a name holds before a statement, where it is a tensor."""
    parameter = unit.parameter(name)
    probe = next((n for n in unit.nodes() if isinstance(n, cst.Name) and n.value == name), None)
    if probe is None:
        return None
    binding = model.flow.reached_at(probe, at).only
    if binding is None:
        return None
    if parameter is not None and binding.node is parameter.node:
        return parameter.value
    return model.value(binding.value) if binding.value is not None else None


def _are_alike(left: Value | None, right: Value | None) -> bool:
    """Whether both are tensors of one known dtype (shapes may differ between branches)."""
    if left is None or right is None or not left.is_tensor or not right.is_tensor:
        return False
    return left.dtype is not None and left.dtype == right.dtype


def _both_return(model: SemanticModel, node: cst.If) -> bool:
    """`if n > 3: return a`, and `return b` in the `else` or right after."""
    first = _only_return(node.body)
    if node.orelse is not None:
        second = _only_return(node.orelse.body) if isinstance(node.orelse, cst.Else) else None
    else:
        parent = model.parent(node)
        body = list(parent.body) if isinstance(parent, cst.IndentedBlock) else []
        position = next((i for i, s in enumerate(body) if s is node), len(body))
        second = _only_return_of(body[position + 1 :])
    if first is None or second is None:
        return False
    return _are_alike(model.value(first), model.value(second))


def _only_return(body: cst.BaseSuite) -> cst.BaseExpression | None:
    return _only_return_of(block_statements(body))


def _only_return_of(statements: object) -> cst.BaseExpression | None:
    listed = list(statements) if isinstance(statements, (list, tuple)) else []
    if len(listed) != 1 or not isinstance(listed[0], cst.SimpleStatementLine):
        return None
    small = listed[0].body
    is_return = len(small) == 1 and isinstance(small[0], cst.Return)
    return small[0].value if is_return and isinstance(small[0], cst.Return) else None


def _is_plain_loop(model: SemanticModel, unit: Unit, loop: cst.For) -> bool:
    """Each turn computes names anew that held tensors of the same dtype and shape before."""
    if not isinstance(loop.target, cst.Name):
        return False
    reads = unit.scope.reads.get(loop.target.value, [])
    bound = _bound(model, loop.body)
    if not bound or reads or loop.target.value in bound:
        return False
    for name, made in bound.items():
        before = _before(model, unit, name, loop)
        if not _are_alike(model.value(made), before) or not _keeps_shape(model, name, made):
            return False
    calls = (node for node in walk(loop.body) if isinstance(node, cst.Call))
    return not any(model.callees(call) for call in calls)


def _keeps_shape(model: SemanticModel, name: str, made: cst.BaseExpression) -> bool:
    """`x * 0.5`: element by element, with numbers only."""
    if not isinstance(made, cst.BinaryOperation):
        return False
    sides = (made.left, made.right)
    own = [s for s in sides if isinstance(s, cst.Name) and s.value == name]
    return len(own) == 1 and any(model.value(side).is_python_scalar for side in sides)
