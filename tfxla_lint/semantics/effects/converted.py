"""Control flow on a tensor that AutoGraph surely converts to what it is eagerly.

A `tf.cond` wants both sides to leave tensors of the same dtypes, and a `tf.while_loop` wants a turn to
keep dtypes and shapes; what is not known of either is no proof.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import libcst as cst

from tfxla_lint.semantics.parts import judged
from tfxla_lint.semantics.scopes import Binding, BindingKind, ScopeKind
from tfxla_lint.semantics.syntax import bound_names, walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import SEQUENCES, TENSOR_LIKE, UNKNOWN, Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_Loop: TypeAlias = "cst.For | cst.While"
_Statements: TypeAlias = "Sequence[cst.CSTNode]"

_JUMPING = (cst.Break, cst.Continue)
_LEAVING = (cst.Return, cst.Raise, cst.Yield, cst.Await)
_KEEPING = (cst.Add, cst.Subtract, cst.Multiply)
_KEEPING_OWN = (cst.AddAssign, cst.SubtractAssign, cst.MultiplyAssign)
_COMPOUND = (cst.For, cst.While, cst.With, cst.Try)
#: What makes AutoGraph leave a whole function as it stands.
_UNKNOWN_PARTS = (cst.NamedExpr, cst.Yield, cst.Await)


def is_converted(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a statement or expression that a tensor drives is surely the same in a graph."""
    unit = model.unit(node)
    if unit.is_lambda or model.binder.scope(node).kind is ScopeKind.COMPREHENSION:
        return False
    if model.ask(_is_left_alone, unit):
        return False
    if isinstance(node, cst.BooleanOperation):
        return _asks_bools(model, node)
    if isinstance(node, cst.If):
        return _asks_bools(model, node.test) and _is_converted_if(model, unit, node)
    if isinstance(node, cst.IfExp):
        both = model.value(node.body), model.value(node.orelse)
        agree = _agree(*both) or _is_same(model, node.body, node.orelse)
        return agree and _asks_bools(model, node.test)
    if isinstance(node, cst.For) or (isinstance(node, cst.While) and _asks_bools(model, node.test)):
        return _is_converted_loop(model, unit, node)
    return False


def _asks_bools(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether the tensors that a test asks are truth values, as a graph wants them."""
    values = [model.value(part) for part in judged(test)]
    return all(v.dtype == "bool" for v in values if v.kind in TENSOR_LIKE)


def _is_converted_loop(model: Answers, unit: Unit, loop: _Loop) -> bool:
    """Whether what a loop carries is the same kind of tensor on each turn."""
    if isinstance(loop, cst.For) and loop.asynchronous is not None:
        return False
    if any(isinstance(n, (*_LEAVING, cst.FunctionDef)) for n in walk(loop.body)):
        return False
    targets = bound_names([loop.target]) if isinstance(loop, cst.For) else set()
    kept = _alive(model, unit, loop, loop.body)
    return not kept & targets and all(_stays(model, unit, loop, name) for name in kept)


def _is_converted_if(model: Answers, unit: Unit, node: cst.If) -> bool:
    """Whether both sides leave the same kinds of tensors, or return them."""
    inner = [n for side in _sides(node) for s in side for n in walk(s, into_scopes=False)]
    if any(isinstance(n, _JUMPING) for n in inner) and not _turns_by_tensor(model, node):
        return False
    if any(isinstance(n, _LEAVING) for n in inner):
        returned = _returned([node, *_after(model, node)])
        if returned is None or any(not isinstance(n, cst.Return) for n in _left_by(inner)):
            return False
        first, *others = returned
        return all(
            _agree(model.value(first), model.value(other)) or _is_same(model, first, other)
            for other in others
        )
    kept = _alive(model, unit, node, node)
    return all(_stays(model, unit, node, name, of_shape=False) for name in kept)


def _left_by(nodes: list[cst.CSTNode]) -> Iterator[cst.CSTNode]:
    return (node for node in nodes if isinstance(node, _LEAVING))


def _turns_by_tensor(model: Answers, node: cst.CSTNode) -> bool:
    """Whether the loop around a statement is one of a graph, which alone can be left by a tensor."""
    for ancestor in model.ancestors(node):
        if isinstance(ancestor, cst.For):
            return model.value(ancestor.iter).kind in (*TENSOR_LIKE, Kind.DATASET)
        if isinstance(ancestor, cst.While):
            return any(model.value(part).kind in TENSOR_LIKE for part in judged(ancestor.test))
        if isinstance(ancestor, cst.FunctionDef):
            break
    return False


def _sides(node: cst.If) -> tuple[_Statements, _Statements]:
    other = node.orelse
    if isinstance(other, cst.If):
        return node.body.body, [other]
    return node.body.body, other.body.body if other is not None else ()


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


def _is_left_alone(model: Answers, unit: Unit) -> bool:
    return any(
        isinstance(n, _UNKNOWN_PARTS)
        or (isinstance(n, (cst.For, cst.While)) and n.orelse is not None)
        for n in walk(unit.node)
    )


def _alive(
    model: Answers, unit: Unit, statement: _Loop | cst.If, block: cst.If | cst.BaseSuite
) -> set[str]:
    """The names that a block binds, and that a later turn or what follows reads."""
    liveness = model.flow.liveness(unit.scope)
    after = liveness.after_converted(statement)
    if not isinstance(statement, cst.If):
        after = after | liveness.before(statement.body.body, after)
    if isinstance(statement, cst.While):
        after = after | liveness.reads(statement.test)
    bound = bound_names([block, *([statement.target] if isinstance(statement, cst.For) else [])])
    return bound & after


def _stays(
    model: Answers, unit: Unit, statement: _Loop | cst.If, name: str, *, of_shape: bool = True
) -> bool:
    """Whether a name is the same kind of tensor before a statement and wherever that binds it."""
    bindings = model.flow.bound_in(unit.scope, name, statement)
    read = next((n for n in walk(statement) if isinstance(n, cst.Name) and n.value == name), None)
    if read is None or not bindings:
        return False
    reached = model.flow.reached_at(read, statement)
    if reached.may_be_unbound:
        return False
    inside = {id(binding) for binding in bindings}
    starts = [_bound(model, b) for b in reached.bindings if id(b) not in inside]
    if not starts or any(not _agree(_as_tensor(s), _as_tensor(starts[0])) for s in starts[1:]):
        return bool(starts) and all(_keeps_own(model, b) for b in bindings)
    return all(
        _keeps_own(model, b) or _agree(_as_tensor(starts[0]), _bound(model, b), of_shape=of_shape)
        for b in bindings
    )


def _bound(model: Answers, binding: Binding) -> Value:
    """What a binding gives its name."""
    if binding.kind is BindingKind.PARAMETER:
        parameter = model.unit_of_scope(binding.scope).parameter(binding.name)
        return parameter.value if parameter is not None else UNKNOWN
    is_plain = binding.kind in (BindingKind.ASSIGNMENT, BindingKind.AUGMENTED)
    return model.value(binding.node) if is_plain else UNKNOWN


def _keeps_own(model: Answers, binding: Binding) -> bool:
    """Whether a name gets what its own tensor and Python numbers give: `x = x * 2.0`."""
    if binding.kind is BindingKind.AUGMENTED:
        statement = model.parent(binding.node)
        return (
            isinstance(statement, cst.AugAssign)
            and isinstance(statement.operator, _KEEPING_OWN)
            and model.value(binding.node).is_tensor
            and model.value(statement.value).is_python_scalar
        )
    tensor = _tensor(model, binding.value) if binding.value is not None else None
    return tensor is not None and tensor.value == binding.name


def _as_tensor(value: Value) -> Value:
    """A tensor, or what AutoGraph makes of the float that a sum begins with."""
    is_float = value.kind is Kind.FLOAT
    return Value(Kind.TENSOR, dtype="float32", shape=()) if is_float else value


def _agree(first: Value, second: Value, *, of_shape: bool = False) -> bool:
    if any(v.mixed or v.maybe_none for v in (first, second)) or first.kind is not second.kind:
        return False
    if first.kind in SEQUENCES:
        members, others = first.elements, second.elements
        if members is None or others is None or len(members) != len(others):
            return False
        pairs = zip(members, others, strict=True)
        return all(_agree(a, b, of_shape=of_shape) for a, b in pairs)
    if first.kind is Kind.TENSOR_ARRAY:
        return True
    if first.kind is not Kind.TENSOR or first.dtype is None or first.dtype != second.dtype:
        return False
    is_known = all(type(size) is int for size in (*(first.shape or ()), *(second.shape or ())))
    return not of_shape or (first.shape is not None and first.shape == second.shape and is_known)


def _returned(statements: _Statements) -> list[cst.BaseExpression] | None:
    """What statements may return, None where they may end without it, or AutoGraph gives up.

    It takes what follows an `if` that returns for its other side, but only where there is none or
    nothing of that returns.
    """
    for index, statement in enumerate(statements):
        last = statement.body[-1] if isinstance(statement, cst.SimpleStatementLine) else statement
        if isinstance(last, cst.Return):
            return [last.value] if last.value is not None else None
        if not any(isinstance(n, cst.Return) for n in walk(statement, into_scopes=False)):
            continue
        if not isinstance(last, cst.If):
            return None
        then, other = _sides(last)
        first, second = _returned(then), _returned(other)
        if second is None and not _returns(other):
            second = _returned(statements[index + 1 :])
        return [*first, *second] if first is not None and second is not None else None
    return None


def _returns(statements: _Statements) -> bool:
    nodes = (node for s in statements for node in walk(s, into_scopes=False))
    return any(isinstance(node, cst.Return) for node in nodes)


def _after(model: Answers, node: cst.CSTNode) -> _Statements:
    """What follows a statement in its block; nothing can where more than tests stands around it."""
    around = (n for n in model.ancestors(node) if isinstance(n, (*_COMPOUND, cst.FunctionDef)))
    block = model.parent(node)
    if isinstance(next(around, None), _COMPOUND) or not isinstance(block, cst.IndentedBlock):
        return ()
    index = next((i for i, statement in enumerate(block.body) if statement is node), 0)
    return block.body[index + 1 :]
