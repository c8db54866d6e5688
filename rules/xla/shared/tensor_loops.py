"""Loops on tensors in compiled code whose number of turns nothing bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.compiled import surely_runs
from tfxla_lint.semantics.scopes import BindingKind
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.units import Unit
from tfxla_lint.semantics.values import Kind

_TF = "tensorflow."
_WHILE_LOOP = frozenset({_TF + "while_loop", _TF + "compat.v1.while_loop"})
#: Functions whose gradient needs nothing of what they were given.
_LINEAR = behaviour.names(Trait.LINEAR)
_NONLINEAR = (cst.Multiply, cst.Divide, cst.Power, cst.MatrixMultiply)


@dataclass(frozen=True, slots=True)
class UnboundedLoop:
    """A `while` on tensors, or a call of `tf.while_loop`.

    `carried` are the names that it computes anew from turn to turn in a way whose gradient needs
    their earlier values; `limit` bounds the turns where the condition shows it (`i < limit`).
    """

    node: cst.While | cst.Call
    carried: frozenset[str]
    limit: cst.BaseExpression | None


def unbounded_loops(model: Answers, unit: Unit) -> Iterator[UnboundedLoop]:
    """The loops of a unit that give no `maximum_iterations`."""
    for node in unit.nodes(into_scopes=False):
        found = None
        if isinstance(node, cst.While) and is_tensor_condition(model, node.test):
            found = _statement(model, node)
        elif isinstance(node, cst.Call) and model.names.one(node.func) in _WHILE_LOOP:
            found = _call(model, node)
        if found is not None and surely_runs(model, node):
            yield found


def is_tensor_condition(model: Answers, test: cst.BaseExpression) -> bool:
    """Whether AutoGraph surely makes a graph loop of a `while` with this test."""
    if isinstance(test, cst.BooleanOperation):
        return any(is_tensor_condition(model, side) for side in (test.left, test.right))
    if isinstance(test, cst.UnaryOperation):
        return is_tensor_condition(model, test.expression)
    return model.value(test).is_tensor


def _statement(model: Answers, loop: cst.While) -> UnboundedLoop | None:
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Call):
            name = model.names.one(node.func) or ""
            if name.endswith(".set_loop_options"):
                return None
    assigned = list(_assignments(loop))
    names = {name for name, _ in assigned}
    carried = {
        name
        for name, value in assigned
        if _is_nonlinear(model, value, names) and _may_be_float(model, value)
    }
    return UnboundedLoop(loop, frozenset(carried), _limit(model, loop)) if carried else None


def _assignments(loop: cst.While) -> Iterator[tuple[str, cst.CSTNode]]:
    """The names that the body of a loop binds, with what they get (`x *= y` as a whole)."""
    for node in walk(loop.body, into_scopes=False):
        if isinstance(node, cst.Assign):
            for target in node.targets:
                if isinstance(target.target, cst.Name):
                    yield target.target.value, node.value
        elif isinstance(node, cst.AugAssign) and isinstance(node.target, cst.Name):
            yield node.target.value, node


def _is_nonlinear(model: Answers, node: cst.CSTNode, names: set[str]) -> bool:
    """Whether the gradient of an expression needs the value of one of `names`, or of the result."""
    if isinstance(node, cst.AugAssign):
        scaling = (cst.MultiplyAssign, cst.DivideAssign, cst.MatrixMultiplyAssign)
        if isinstance(node.operator, scaling):
            return True
        return _is_nonlinear(model, node.value, names)
    for part in walk(node):
        scales = isinstance(part, cst.BinaryOperation) and isinstance(part.operator, _NONLINEAR)
        name = model.names.one(part.func) if isinstance(part, cst.Call) else None
        applies = name is not None and name.startswith(_TF) and name not in _LINEAR
        if scales or applies:
            if any(isinstance(inner, cst.Name) and inner.value in names for inner in walk(part)):
                return True
    return False


def _may_be_float(model: Answers, node: cst.CSTNode) -> bool:
    value = model.value(node.target if isinstance(node, cst.AugAssign) else node)
    if value.kind is not Kind.TENSOR:
        return False
    return not (value.dtype or "float32").startswith(("int", "uint", "bool"))


def _limit(model: Answers, loop: cst.While) -> cst.BaseExpression | None:
    """`n` of `while i < n and ...` where `i` counts from 0 in steps of 1."""
    for test in _conjuncts(loop.test):
        pair = _less(test)
        if pair is None or not isinstance(pair[0], cst.Name) or not _is_number(model, pair[1]):
            continue
        start = model.flow.reached_at(pair[0], loop).only
        begins = start is not None and _is_zero(model, model.flow.given(start))
        if begins and _counts(model, loop, pair[0].value):
            return pair[1]
    return None


def _conjuncts(test: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    if (isinstance(test, cst.BooleanOperation) and isinstance(test.operator, cst.And)) or (
        isinstance(test, cst.BinaryOperation) and isinstance(test.operator, cst.BitAnd)
    ):
        yield from _conjuncts(test.left)
        yield from _conjuncts(test.right)
    else:
        yield test


def _less(test: cst.BaseExpression) -> tuple[cst.BaseExpression, cst.BaseExpression] | None:
    """The two sides of `left < right`."""
    if not isinstance(test, cst.Comparison) or len(test.comparisons) != 1:
        return None
    target = test.comparisons[0]
    return (test.left, target.comparator) if isinstance(target.operator, cst.LessThan) else None


def _is_number(model: Answers, node: cst.BaseExpression) -> bool:
    value = model.value(node)
    return value.kind is Kind.INT and (value.has_constant or value.loop is None)


def _is_zero(model: Answers, node: cst.BaseExpression | None) -> bool:
    if isinstance(node, cst.Call) and model.names.one(node.func) == _TF + "constant":
        return bool(node.args) and _is_zero(model, node.args[0].value)
    constant = model.value(node).constant if node is not None else None
    return type(constant) is int and constant == 0


def _counts(model: Answers, loop: cst.While, name: str) -> bool:
    """Whether every turn of a loop adds 1 to a name, and does nothing else to it."""
    inside = {id(node) for node in walk(loop.body, into_scopes=False)}
    bindings = [
        binding for binding in model.binder.scope(loop).lookup(name) if id(binding.node) in inside
    ]
    if len(bindings) != 1:
        return False
    holder = model.parent(bindings[0].node)
    if bindings[0].kind is BindingKind.AUGMENTED and isinstance(holder, cst.AugAssign):
        is_one = isinstance(holder.operator, cst.AddAssign) and _is_one(model, holder.value)
    else:
        is_one = _adds_one(model, bindings[0].value, name)
    line = next(
        (a for a in model.ancestors(bindings[0].node) if isinstance(a, cst.SimpleStatementLine)),
        None,
    )
    return is_one and line is not None and model.parent(line) is loop.body


def _adds_one(model: Answers, node: cst.BaseExpression | None, name: str) -> bool:
    if not isinstance(node, cst.BinaryOperation) or not isinstance(node.operator, cst.Add):
        return False
    is_name = isinstance(node.left, cst.Name) and node.left.value == name
    return is_name and _is_one(model, node.right)


def _is_one(model: Answers, node: cst.BaseExpression) -> bool:
    constant = model.value(node).constant
    return type(constant) is int and constant == 1


def _call(model: Answers, call: cst.Call) -> UnboundedLoop | None:
    if any(a.star for a in call.args) or argument(call, "maximum_iterations", 7) is not None:
        return None
    starts = argument(call, "loop_vars", 2)
    body = _function(model, argument(call, "body", 1))
    if body is None or not isinstance(starts, (cst.List, cst.Tuple)):
        return None
    results = _members(body)
    names = [p.name for p in body.parameters]
    if len(results) != len(names) or len(starts.elements) != len(names):
        return None
    carried = {
        name
        for name, result, start in zip(names, results, starts.elements, strict=True)
        if _is_nonlinear(model, result, set(names)) and _is_float(model, start.value)
    }
    limit = _call_limit(model, call, starts, results, names)
    return UnboundedLoop(call, frozenset(carried), limit) if carried else None


def _is_float(model: Answers, node: cst.BaseExpression) -> bool:
    value = model.value(node)
    if value.kind is Kind.FLOAT:
        return True
    return value.is_tensor and not (value.dtype or "float32").startswith(("int", "uint", "bool"))


def _function(model: Answers, node: cst.BaseExpression | None) -> Unit | None:
    value = model.value(node) if node is not None else None
    return value.unit if value is not None and value.kind is Kind.FUNCTION else None


def _members(unit: Unit) -> list[cst.BaseExpression]:
    """The members of the tuple or list that a function returns."""
    node: cst.CSTNode | None
    if isinstance(unit.node, cst.Lambda):
        node = unit.node.body
    else:
        returns = [n for n in unit.nodes(into_scopes=False) if isinstance(n, cst.Return)]
        node = returns[0].value if len(returns) == 1 else None
    if isinstance(node, (cst.Tuple, cst.List)):
        return [element.value for element in node.elements]
    return [node] if isinstance(node, cst.BaseExpression) else []


def _call_limit(
    model: Answers,
    call: cst.Call,
    starts: cst.List | cst.Tuple,
    results: list[cst.BaseExpression],
    names: list[str],
) -> cst.BaseExpression | None:
    """The same for `tf.while_loop(lambda i, x: i < n, lambda i, x: (i + 1, ...), [0, x])`."""
    condition = _function(model, argument(call, "cond", 0))
    if condition is None or not isinstance(condition.node, cst.Lambda):
        return None
    places = {p.name: index for index, p in enumerate(condition.parameters)}
    for test in _conjuncts(condition.node.body):
        pair = _less(test)
        place = places.get(pair[0].value) if pair and isinstance(pair[0], cst.Name) else None
        if pair is None or place is None or place >= len(names):
            continue
        counts = _adds_one(model, results[place], names[place])
        if counts and _is_zero(model, starts.elements[place].value):
            if _is_number(model, pair[1]) and not isinstance(pair[1], cst.Name):
                return pair[1]
            if isinstance(pair[1], cst.Name) and pair[1].value not in places:
                return pair[1] if _is_number(model, pair[1]) else None
    return None
