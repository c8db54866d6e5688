"""Control flow on tensors that AutoGraph surely converts to what it is eagerly.

A `tf.cond` wants both sides to leave tensors of the same dtypes, and a `tf.while_loop` wants a turn to
keep dtypes and shapes; what is not known of either is no proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_LEAVING = (cst.Return, cst.Break, cst.Continue, cst.Raise, cst.Yield, cst.Await)
_KEEPING = (cst.Add, cst.Subtract, cst.Multiply)
#: What makes AutoGraph leave a whole function as it stands.
_UNKNOWN_PARTS = (cst.NamedExpr, cst.Yield, cst.Await)


def is_converted_loop(model: Answers, loop: cst.For) -> bool:
    """Whether what a loop over a tensor or dataset carries is the same kind of tensor on each turn."""
    unit = model.unit(loop)
    if loop.asynchronous is not None or loop.orelse is not None or _is_left_alone(unit):
        return False
    if any(isinstance(n, (*_LEAVING, cst.Lambda, cst.FunctionDef)) for n in walk(loop.body)):
        return False
    targets = bound_names([loop.target])
    kept = _alive(model, unit, loop, loop.body)
    return not kept & targets and all(_stays(model, unit, loop, name) for name in kept)


def is_converted_test(model: Answers, node: cst.If) -> bool:
    """Whether both sides of an `if` on one boolean leave the same kinds of tensors, or return them."""
    unit, test = model.unit(node), model.value(node.test)
    if test.dtype != "bool" or test.shape != () or isinstance(node.orelse, cst.If):
        return False
    sides = [node.body.body, node.orelse.body.body if node.orelse is not None else ()]
    leaving = [n for side in sides for s in side for n in walk(s) if isinstance(n, _LEAVING)]
    if _is_left_alone(unit):
        return False
    if leaving:
        both = [_returned(sides[0]), _returned(sides[1] or _after(model, node))]
        is_lone = len(leaving) == (1 if node.orelse is None else 2)
        first, second = both
        return (
            is_lone
            and first is not None
            and second is not None
            and (_agree(model.value(first), model.value(second)) or _is_same(model, first, second))
        )
    kept = _alive(model, unit, node, node)
    return all(_stays(model, unit, node, name, of_shape=False) for name in kept)


def _is_same(model: Answers, first: cst.BaseExpression, second: cst.BaseExpression) -> bool:
    """Whether two expressions compute with one tensor and Python numbers: it gives their dtype."""
    names = _tensor(model, first), _tensor(model, second)
    if names[0] is None or names[1] is None or names[0].value != names[1].value:
        return False
    bindings = [model.flow.reached(name).only for name in names if name is not None]
    return bindings[0] is not None and bindings[0] is bindings[1]


def _tensor(model: Answers, node: cst.BaseExpression) -> cst.Name | None:
    """The one tensor of an expression that adds, subtracts or multiplies Python numbers."""
    while not isinstance(node, cst.Name):
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
            node = node.expression
        elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _KEEPING):
            sides = [s for s in (node.left, node.right) if not model.value(s).is_python_scalar]
            if len(sides) != 1:
                return None
            node = sides[0]
        else:
            return None
    return node if model.value(node).is_tensor else None


def _is_left_alone(unit: Unit) -> bool:
    return any(
        isinstance(n, _UNKNOWN_PARTS)
        or (isinstance(n, (cst.For, cst.While)) and n.orelse is not None)
        for n in walk(unit.node)
    )


def _alive(
    model: Answers, unit: Unit, statement: cst.For | cst.If, block: cst.If | cst.BaseSuite
) -> set[str]:
    """The names that a block binds, and that a later turn or what follows reads."""
    liveness = model.flow.liveness(unit.scope)
    after = liveness.after(statement)
    if isinstance(statement, cst.For):
        after = after | liveness.before(statement.body.body, after)
    bound = bound_names([block, *([statement.target] if isinstance(statement, cst.For) else [])])
    return bound & after


def _stays(
    model: Answers, unit: Unit, statement: cst.For | cst.If, name: str, *, of_shape: bool = True
) -> bool:
    """Whether a name is the same kind of tensor before a statement and wherever that binds it."""
    bindings = model.flow.bound_in(unit.scope, name, statement)
    read = next((n for n in walk(statement) if isinstance(n, cst.Name) and n.value == name), None)
    start = model.flow.reached_at(read, statement).only if read is not None else None
    if start is None or start.value is None or any(b.value is None for b in bindings):
        return False
    first = _as_tensor(model.value(start.value))
    return all(
        _agree(first, model.value(b.value), of_shape=of_shape)
        or (not of_shape and _keeps_own(model, read, b.value))
        for b in bindings
        if b.value is not None
    )


def _keeps_own(model: Answers, read: cst.Name | None, value: cst.BaseExpression) -> bool:
    """Whether a name gets what its own tensor and Python numbers give: `x = x * 2.0`."""
    tensor = _tensor(model, value)
    return tensor is not None and read is not None and tensor.value == read.value


def _as_tensor(value: Value) -> Value:
    """A tensor, or what AutoGraph makes of the float that a sum begins with."""
    is_float = value.kind is Kind.FLOAT
    return Value(Kind.TENSOR, dtype="float32", shape=()) if is_float else value


def _agree(first: Value, second: Value, *, of_shape: bool = False) -> bool:
    if any(v.kind is not Kind.TENSOR or v.mixed or v.maybe_none for v in (first, second)):
        return False
    if first.dtype is None or first.dtype != second.dtype:
        return False
    is_known = all(type(size) is int for size in (*(first.shape or ()), *(second.shape or ())))
    return not of_shape or (first.shape is not None and first.shape == second.shape and is_known)


def _returned(statements: Sequence[cst.CSTNode]) -> cst.BaseExpression | None:
    """What statements end by returning, None where they do not, or return earlier too."""
    if not statements or any(isinstance(n, cst.Return) for s in statements[:-1] for n in walk(s)):
        return None
    last = statements[-1]
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last
    return small.value if isinstance(small, cst.Return) else None


def _after(model: Answers, node: cst.If) -> Sequence[cst.CSTNode]:
    """What follows a statement in the block of its function."""
    block = model.parent(node)
    body = block.body if isinstance(block, cst.IndentedBlock) else ()
    is_of_function = isinstance(model.parent(block), cst.FunctionDef) if block else False
    index = next((i for i, statement in enumerate(body) if statement is node), len(body))
    return body[index + 1 :] if is_of_function else ()
