"""Expressions of the abstract interpreter."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable
from typing import Any

import libcst as cst

from tfxla_lint.semantics.dict_keys import key_kind
from tfxla_lint.semantics.kinds import attributes, calls
from tfxla_lint.semantics.kinds.evaluator import Environment, Evaluator
from tfxla_lint.semantics.kinds.files import is_path
from tfxla_lint.semantics.kinds.indexing import indexed
from tfxla_lint.semantics.kinds.iteration import item_of, vary
from tfxla_lint.semantics.kinds.operators import arithmetic, fold, matrix_product
from tfxla_lint.semantics.kinds.protocol import member_of
from tfxla_lint.semantics.kinds.shapes import broadcast
from tfxla_lint.semantics.kinds.targets import assign, index_values
from tfxla_lint.semantics.kinds.tensor_ops import shape_of
from tfxla_lint.semantics.syntax import children
from tfxla_lint.semantics.values import (
    BOOL,
    INT,
    NO_CONSTANT,
    NUMBERS,
    SEQUENCES,
    STRING,
    UNBOUND,
    UNKNOWN,
    Kind,
    Value,
    dict_with,
    entry_of,
    join,
    of_constant,
    sequence,
)

Handler = Callable[[Evaluator, Any, Environment], Value]


def parts(evaluator: Evaluator, node: cst.CSTNode, environment: Environment) -> Value:
    """The value of an expression of which nothing is known; its parts are evaluated."""
    for child in children(node):
        evaluator.value(child, environment)
    return UNKNOWN


def _name(evaluator: Evaluator, node: cst.Name, environment: Environment) -> Value:
    name = node.value
    bound = environment.get(name)
    if bound is not None and not evaluator.binds_outside:
        return bound
    if name in _SINGLETONS:
        return _SINGLETONS[name]
    return evaluator.read(name, node, environment)


_SINGLETONS = {str(value): of_constant(value) for value in (None, True, False)}


def _literal(evaluator: Evaluator, node: Any, environment: Environment) -> Value:
    value = evaluator.fixed.get(id(node))
    if value is None:
        value = evaluator.fixed[id(node)] = _LITERALS[type(node)](node.value)
    return value


def _of_text(text: str) -> Value:
    if len(text) > _LONGEST_CONSTANT:
        return STRING
    if text[0] in "'\"" and "\\" not in text and text[:3] not in ("'''", '"""'):
        return of_constant(text[1:-1])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            value = ast.literal_eval(text)
    except (SyntaxError, ValueError):
        return STRING
    return of_constant(value) if isinstance(value, str) else UNKNOWN


#: Longer strings are documentation, and Python does not read all longer numbers: no rule asks for them.
_LONGEST_CONSTANT = 200

_LITERALS: dict[type, Callable[[str], Value]] = {
    cst.Integer: lambda text: of_constant(int(text, 0)) if len(text) <= _LONGEST_CONSTANT else INT,
    cst.Float: lambda text: of_constant(float(text)),
    cst.SimpleString: _of_text,
}


def _formatted(evaluator: Evaluator, node: cst.FormattedString, environment: Environment) -> Value:
    loop = None
    for part in node.parts:
        if isinstance(part, cst.FormattedStringExpression):
            value = evaluator.value(part.expression, environment)
            loop = loop or value.loop
            for inner in part.format_spec or ():
                if isinstance(inner, cst.FormattedStringExpression):
                    evaluator.value(inner.expression, environment)
    return Value(Kind.STRING, loop=loop)


def _sequence(evaluator: Evaluator, node: Any, environment: Environment) -> Value:
    kind = Kind.TUPLE if type(node) is cst.Tuple else Kind.LIST
    members: list[Value] = []
    exact = True
    for element in node.elements:
        value = evaluator.value(element.value, environment)
        if type(element) is cst.StarredElement:
            exact = False
            value = item_of(value)
        members.append(value)
    result = sequence(kind, tuple(members))
    return result if exact else result._replace(elements=None)


def _set(evaluator: Evaluator, node: cst.Set, environment: Environment) -> Value:
    for element in node.elements:
        evaluator.value(element.value, environment)
    return Value(Kind.OBJECT, name="builtins.set")


def _dict(evaluator: Evaluator, node: cst.Dict, environment: Environment) -> Value:
    item = UNBOUND
    entries: dict[str, Value] | None = {}
    keys: set[Kind] = set()
    unordered = 0
    for element in node.elements:
        value = evaluator.value(element.value, environment)
        if isinstance(element, cst.DictElement):
            key = evaluator.value(element.key, environment)
            keys.add(key_kind(key))
            unordered += key.kind in _WITHOUT_ORDER or _is_member(evaluator, key)
            item = join(item, value)
            if entries is not None and type(key.constant) is str:
                entries[key.constant] = value
            else:
                entries = None
        else:
            item = join(item, value.item or UNKNOWN)
            keys |= value.keys or {Kind.UNKNOWN}
            if entries is not None and value.entries is not None:
                entries.update(value.entries)
            else:
                entries = None
    if unordered > 1:
        keys.add(Kind.OBJECT)
    return dict_with(None if item.kind is Kind.UNBOUND else item, entries, frozenset(keys))


#: What has no order among its kind. Objects of other classes may have one.
_WITHOUT_ORDER = frozenset({Kind.FUNCTION, Kind.CLASS, Kind.LAYER, Kind.MODEL})


def _binary(evaluator: Evaluator, node: cst.BinaryOperation, environment: Environment) -> Value:
    left = evaluator.value(node.left, environment)
    right = evaluator.value(node.right, environment)
    operator = type(node.operator)
    if left.kind is Kind.UNBOUND or right.kind is Kind.UNBOUND:
        return UNBOUND
    if operator is cst.Modulo and left.kind is Kind.STRING:
        return Value(Kind.STRING, loop=right.loop)
    if left.has_constant and right.has_constant:
        folded = fold(operator, left.constant, right.constant)
        if folded is not NO_CONSTANT:
            return of_constant(folded)
    if operator is cst.Divide and is_path(left):
        return left
    if operator is cst.Divide and {left.kind, right.kind} <= NUMBERS:
        return Value(Kind.FLOAT, loop=left.loop or right.loop)
    if operator is cst.Multiply and left.kind is Kind.LIST:
        return left._replace(elements=None)
    if operator is cst.MatrixMultiply:
        return matrix_product(left, right)
    return arithmetic(left, right, is_division=operator is cst.Divide)


def _unary(evaluator: Evaluator, node: cst.UnaryOperation, environment: Environment) -> Value:
    value = evaluator.value(node.expression, environment)
    if isinstance(node.operator, cst.Not):
        return BOOL
    if value.kind is Kind.UNBOUND:
        return UNBOUND
    if value.has_constant and isinstance(value.constant, (int, float)):
        if isinstance(node.operator, cst.Minus):
            return of_constant(-value.constant)
    if value.kind is Kind.VARIABLE:
        return Value(Kind.TENSOR, dtype=value.dtype, shape=value.shape)
    return value._replace(constant=NO_CONSTANT) if value.is_known else UNKNOWN


def _comparison(evaluator: Evaluator, node: cst.Comparison, environment: Environment) -> Value:
    operands = [evaluator.value(node.left, environment)]
    identity = False
    for target in node.comparisons:
        operands.append(evaluator.value(target.comparator, environment))
        identity |= isinstance(target.operator, (cst.Is, cst.IsNot, cst.In, cst.NotIn))
    if all(o.is_python_scalar for o in operands):
        return Value(Kind.BOOL, loop=next((o.loop for o in operands if o.loop), None))
    if identity or all(_is_no_tensor(evaluator, o) for o in operands):
        return BOOL
    if any(o.is_tensor for o in operands):
        shape = broadcast(shape_of(operands[0]), shape_of(operands[1]))
        return Value(Kind.TENSOR, dtype="bool", shape=shape if len(operands) == 2 else None)
    if any(o.kind is Kind.NDARRAY for o in operands):
        return Value(Kind.NDARRAY, dtype="bool")
    return UNKNOWN


_NEVER_TENSORS = frozenset(
    {Kind.SHAPE, Kind.NONE, Kind.DTYPE, Kind.INT, Kind.TUPLE, Kind.LIST, Kind.STRING}
)


def _is_no_tensor(evaluator: Evaluator, value: Value) -> bool:
    """Whether comparing a value with another of these says no more than one bool."""
    return value.kind in _NEVER_TENSORS or _is_member(evaluator, value)


def _is_member(evaluator: Evaluator, value: Value) -> bool:
    """Whether a value is a member of an enumeration."""
    if value.kind is not Kind.OBJECT or value.class_ is None:
        return False
    return evaluator.is_enumeration(value.class_)


def _boolean(evaluator: Evaluator, node: cst.BooleanOperation, environment: Environment) -> Value:
    left = evaluator.value(node.left, environment)
    return join(left, evaluator.value(node.right, environment))


def _conditional(evaluator: Evaluator, node: cst.IfExp, environment: Environment) -> Value:
    evaluator.value(node.test, environment)
    then = evaluator.value(node.body, environment)
    otherwise = evaluator.value(node.orelse, environment)
    is_open = Kind.UNKNOWN in (then.kind, otherwise.kind)
    if is_open and Kind.MODEL in (then.kind, otherwise.kind):
        if _is_made_of(node.body, node.orelse) or _is_made_of(node.orelse, node.body):
            # `parallel(model) if many else model`: what stands in for a model is one, of some kind.
            return Value(Kind.MODEL, by_use=True)
    return join(then, otherwise)


def _is_made_of(node: cst.BaseExpression, other: cst.BaseExpression) -> bool:
    """Whether this is a call that is given the other expression."""
    return isinstance(node, cst.Call) and any(a.value.deep_equals(other) for a in node.args)


def _comprehension(evaluator: Evaluator, node: Any, environment: Environment) -> Value:
    inner = dict(environment)
    clause: cst.CompFor | None = node.for_in
    while clause is not None:
        iterated = evaluator.value(clause.iter, inner)
        assign(evaluator, clause.target, vary(member_of(evaluator, iterated), clause), inner)
        for test in clause.ifs:
            evaluator.value(test.test, inner)
        clause = clause.inner_for_in
    if isinstance(node, cst.DictComp):
        keys = frozenset({key_kind(evaluator.value(node.key, inner))})
        return Value(Kind.DICT, item=evaluator.value(node.value, inner), keys=keys)
    item = evaluator.value(node.elt, inner)
    kind = Kind.ITERATOR if isinstance(node, cst.GeneratorExp) else Kind.LIST
    return Value(kind, item=item)


def _lambda(evaluator: Evaluator, node: cst.Lambda, environment: Environment) -> Value:
    unit = evaluator.units.of(node)
    return Value(Kind.FUNCTION, unit=unit, name="<lambda>")


def _named(evaluator: Evaluator, node: cst.NamedExpr, environment: Environment) -> Value:
    value = evaluator.value(node.value, environment)
    assign(evaluator, node.target, value, environment)
    return value


def _await(evaluator: Evaluator, node: cst.Await, environment: Environment) -> Value:
    evaluator.value(node.expression, environment)
    return UNKNOWN


def _yield(evaluator: Evaluator, node: cst.Yield, environment: Environment) -> Value:
    given = node.value
    if isinstance(given, cst.From):
        value = item_of(evaluator.value(given.item, environment))
    elif given is not None:
        value = evaluator.value(given, environment)
        evaluator.use(value, node, "unknown")
    else:
        value = Value(Kind.NONE, constant=None)
    evaluator.give_result("yields", value)
    return UNKNOWN


def _starred(evaluator: Evaluator, node: cst.StarredElement, environment: Environment) -> Value:
    return evaluator.value(node.value, environment)


def _subscript(evaluator: Evaluator, node: cst.Subscript, environment: Environment) -> Value:
    value = evaluator.value(node.value, environment)
    indices = index_values(evaluator, node, environment)
    if value.kind is Kind.UNBOUND:
        return UNBOUND
    if value.kind in SEQUENCES:
        return _element(value, indices)
    if value.kind is Kind.DICT:
        key = indices[0].constant if len(indices) == 1 and indices[0] is not None else None
        return entry_of(value, key)
    if value.kind in (Kind.TENSOR, Kind.VARIABLE, Kind.KERAS_TENSOR, Kind.NDARRAY):
        kind = Kind.TENSOR if value.kind is Kind.VARIABLE else value.kind
        shape = indexed(value.shape, node, evaluator.seen)
        return Value(kind, dtype=value.dtype, shape=shape, mixed=value.mixed)
    if value.kind is Kind.SHAPE:
        return INT
    shape = indexed(None, node, evaluator.seen)
    return UNKNOWN if shape is None else Value(Kind.UNKNOWN, shape=shape)


def _element(value: Value, indices: list[Value | None]) -> Value:
    index = indices[0] if len(indices) == 1 else UNKNOWN
    if index is None:
        return value._replace(elements=None, choices=())
    if value.elements is not None and isinstance(index.constant, int):
        if -len(value.elements) <= index.constant < len(value.elements):
            return value.elements[index.constant]
    item = item_of(value)
    return item._replace(loop=index.loop) if item.is_python_scalar and index.loop else item


#: How each kind of expression is evaluated.
HANDLERS: dict[type[cst.CSTNode], Handler] = {
    cst.Name: _name,
    cst.Attribute: attributes.read,
    cst.Call: calls.call,
    cst.Integer: _literal,
    cst.Float: _literal,
    cst.SimpleString: _literal,
    cst.FormattedString: _formatted,
    cst.ConcatenatedString: lambda evaluator, node, environment: STRING,
    cst.Tuple: _sequence,
    cst.List: _sequence,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.BinaryOperation: _binary,
    cst.UnaryOperation: _unary,
    cst.Comparison: _comparison,
    cst.BooleanOperation: _boolean,
    cst.IfExp: _conditional,
    cst.ListComp: _comprehension,
    cst.SetComp: _comprehension,
    cst.GeneratorExp: _comprehension,
    cst.DictComp: _comprehension,
    cst.Lambda: _lambda,
    cst.NamedExpr: _named,
    cst.Await: _await,
    cst.Yield: _yield,
    cst.StarredElement: _starred,
    cst.Subscript: _subscript,
    cst.Ellipsis: lambda evaluator, node, environment: UNKNOWN,
}
