"""Operations that only one of two versions has, and that show with few values: those have to be seen.

A clip that is gone shows nowhere if no value came to it, a rounding not if it takes off little, an order
not if things are in that order anyway. So each such operation is left out, on the side that has it, and
what both sides are compared by has to tell the two apart.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.changes import MODULE
from tfxla_lint.verify.trees import Tree, defaults_of, pairs_of

_BUILTINS = builtins.__name__
_BOUNDING = (Trait.BOUNDS, Trait.EITHER)
#: What the worker lends for it: gives its second argument, and notes whether the first makes something else of
#: it, or the condition of a choice asks for the other.
REACHED = "__txl_reached__"
KEPT = "__txl_kept__"
_ASKED = "__txl_asked__"
#: Beyond every value.
_FAR = 1e30
#: Below every number that is meant.
_NEARLY_NOTHING = 1e-6


class Without(NamedTuple):
    """A version without one operation: `side` is 0 for the original, `line` and `said` name it.

    `lack` says what was not seen where nothing tells it from the other.
    """

    side: int
    unit: str
    line: int
    said: str
    text: str
    lack: str = ""


_NO_BOUND = "no value was seen to reach the bound of {}"
_NO_ROUNDING = "no value was seen that hangs on the rounding of {}"
_NO_ORDER = "nothing was seen that hangs on the order of {}"
_NO_EQUALS = "nothing was seen that hangs on the order of equals in {}"
_NO_DTYPE = "nothing of another dtype was seen in {}"
#: What may be left out, and what was not seen where nothing shows that.
_LEFT_OUT: tuple[tuple[tuple[Trait, ...], str], ...] = (
    (_BOUNDING, _NO_BOUND),
    ((Trait.ROUNDS,), _NO_ROUNDING),
    ((Trait.SORTS,), _NO_ORDER),
    ((Trait.RECASTS,), _NO_DTYPE),
)


def without_bounds(
    sides: tuple[Tree, Tree], statements: tuple[dict[str, list[ast.stmt]], ...]
) -> Iterator[Without]:
    """The versions without one of the operations that the other side does not have.

    `statements` are those that changed, by unit, on both sides.
    """
    for words, lack in _LEFT_OUT:
        every = [list(_calls(tree.module, *words)) for tree in sides]
        asked = [
            {key for node in ast.walk(tree.module) for key in _choices(node)} for tree in sides
        ]
        lost = {
            id(call)
            for side in (0, 1)
            for call in _unmatched(every[side], every[1 - side])
            if not asked[1 - side] & {*_choices(call)}
        }
        for side, tree in enumerate(sides):
            known: set[int] = set(_guards(tree.module) if side else ())
            for unit, own in statements[side].items():
                for call in (c for statement in own for c in _calls(statement, *words)):
                    if unit == MODULE and _counts(call, tree.module):
                        continue
                    if is_of(call, Trait.RECASTS) and (side or _has_one_dtype(call, unit, tree)):
                        # What is in that dtype already may be cast once more.
                        continue
                    if id(call) in lost - known:
                        known.add(id(call))
                        found = _without(side, unit, call, tree)
                        yield from (row._replace(lack=lack) for row in found)
                        if lost & set(map(id, every[1 - side])):
                            yield from _turned(side, unit, call, tree)


def _guards(module: ast.AST) -> Iterator[int]:
    """The bounds, by identity, that only keep what divides from zero: without them there is no number.

    What the original gives there is compared wherever it comes to it.
    """
    for node in ast.walk(module):
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
            continue
        divisor = node.right
        if isinstance(divisor, ast.Call) and any(is_of(divisor, word) for word in _BOUNDING):
            numbers = [getattr(part, "value", None) for part in divisor.args]
            if any(type(n) is float and 0 < n <= _NEARLY_NOTHING for n in numbers):
                yield id(divisor)


def _has_one_dtype(call: ast.Call, unit: str, tree: Tree) -> bool:
    """Whether what is cast is always of one dtype: all in a program, what comparisons give, and a number
    that has a default."""
    if call.args and isinstance(call.args[0], (ast.Compare, ast.BoolOp)):
        return True
    function = tree.functions.get(unit)
    if unit == MODULE or function is None:
        return unit == MODULE
    numbers = {
        a.arg
        for a, d in defaults_of(function)
        if isinstance(getattr(d, "value", None), (int, float))
    }
    return isinstance(call.args[0], ast.Name) and call.args[0].id in numbers


def _choices(node: ast.AST) -> Iterator[str]:
    """What a choice gives that is written out, and on which condition: `a if c else 1.0`, `tf.where(c, a, 1.0)`."""
    parts: list[ast.expr] = []
    if isinstance(node, ast.IfExp):
        parts = [node.test, node.body, node.orelse]
    elif isinstance(node, ast.Call) and is_of(node, Trait.EITHER) and len(node.args) > 2:
        parts = node.args
    for place, part in enumerate(parts[1:]):
        if isinstance(part, ast.Constant):
            yield f"{ast.dump(without_owners(parts[0]))} {place} {part.value!r}"


def _turned(side: int, unit: str, call: ast.Call, tree: Tree) -> Iterator[Without]:
    """The version that puts equals in the other order, where a key says what is equal, and does not tell
    all apart: the other version orders by something else.
    """
    has_key = any(k.arg == "key" for k in call.keywords)
    if not is_of(call, Trait.SORTS) or not has_key or _orders(call) or not call.args:
        return
    listed = ast.Call(ast.Name("list", ast.Load()), call.args[:1], [])
    turned = ast.Call(ast.Name("reversed", ast.Load()), [listed], [])
    with put(tree.module, call, ast.Call(call.func, [turned], call.keywords)):
        text = ast.unparse(tree.module)
    yield Without(side, unit, call.lineno, said(call), text, _NO_EQUALS)


def _counts(call: ast.Call, module: ast.AST) -> bool:
    """Whether a call only compares whole numbers that are written out and turns of loops.

    Where the program itself does so, and no function that others call, it does each time the same.
    """
    if not isinstance(call.func, ast.Name) or call.keywords:
        return False
    names = {n.id for part in call.args for n in ast.walk(part) if isinstance(n, ast.Name)}
    others = (ast.Call, ast.Attribute, ast.Subscript)
    if any(isinstance(node, others) for part in call.args for node in ast.walk(part)):
        return False
    return names <= _written(module)


def _written(module: ast.AST) -> set[str]:
    """The names of a program that count in written whole numbers, or turns, and are bound to nothing
    else."""
    stores: Counter[str] = Counter()
    counted: Counter[str] = Counter()
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            stores[node.id] += 1
        counted.update(_counting(node))
    return {name for name in counted if stores[name] == counted[name]}


def _counting(node: ast.AST) -> Iterator[str]:
    """The names that a statement sets to a written number, or to one that is counted from their own."""
    pairs: list[tuple[ast.expr, ast.expr]] = []
    if isinstance(node, ast.AugAssign):
        pairs = [(node.target, node.value)]
    elif isinstance(node, ast.Assign):
        pairs = [(target, node.value) for target in node.targets]
        if len(pairs) == 1:
            pairs = list(pairs_of(node))
    elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
        if isinstance(node.target, ast.Name) and ast.unparse(node.iter.func) == "range":
            yield node.target.id
    for target, value in pairs:
        if isinstance(target, ast.Name) and _is_counted(value, target.id):
            yield target.id


def _is_counted(value: ast.expr, name: str) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_counted(value.body, name) and _is_counted(value.orelse, name)
    if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
        return _is_counted(value.left, name) and _is_counted(value.right, name)
    if isinstance(value, ast.Constant):
        return type(value.value) is int
    return isinstance(value, ast.Name) and value.id == name


def _unmatched(calls: Iterable[ast.Call], others: Iterable[ast.Call]) -> Iterator[ast.Call]:
    """The calls for which the other version has none with the same bound.

    What it is given may come from somewhere else there; that is compared by its values.
    """
    left = Counter(key for other in others for key in _keys(other))
    for call in calls:
        key = next((key for key in _keys(call) if left[key] > 0), None)
        if key is None:
            yield call
        else:
            left[key] -= 1


def _keys(call: ast.Call) -> list[str]:
    """What a call is apart from the value that it bounds: of two one may be that, either of them."""
    parts = [call.func, *call.args, *(k.value for k in call.keywords)]
    if not call.args:
        parts[1:1] = [call.func]
    texts = [ast.dump(without_owners(part)) for part in parts]
    kind = next(word for words, _ in _LEFT_OUT for word in words if is_of(call, word))
    texts[0] = _same(_last(call), kind)
    values = [len(call.args) - 1, len(call.args)] if is_of(call, Trait.EITHER) else [1]
    if kind is Trait.RECASTS:
        # Of which dtype it is hangs on where that comes from.
        return [" ".join(texts)]
    return [" ".join([*texts[:value], "", *texts[value + 1 :]]) for value in values]


class _Owners(ast.NodeTransformer):
    """Takes an attribute for a name of its own: whoever holds it."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Name(node.attr, ast.Load())


def without_owners(node: ast.AST) -> ast.AST:
    """A node with the names of attributes alone in the place of attributes."""
    return _Owners().visit(copy.deepcopy(node))  # type: ignore[no-any-return]


@cache
def _same(last: str, asked: Trait) -> str:
    """One name for all that do the same: for those of NumPy and of Python, too."""
    rows = [behaviour.of(name) for name in behaviour.names(asked) if name.endswith(f".{last}")]
    instead = next((row.instead[0] for row in rows if row.instead is not None), last)
    last = instead.rpartition(".")[2]
    shorter = [name for name in _last_names(asked, True) if last.startswith(name)]
    return min(shorter, key=len) if asked is not Trait.BOUNDS and shorter else last


def is_bounded(sides: tuple[Tree, Tree]) -> bool:
    """Whether one of two versions has an operation that shows only with values far out."""
    asked = (*_BOUNDING, Trait.NO_OVERFLOW)
    every = [Counter(ast.dump(c) for c in _calls(tree.module, *asked)) for tree in sides]
    return every[0] != every[1]


def hides_less(sides: tuple[Tree, Tree]) -> bool:
    """Whether the first of two versions asks for the one or the other of two values more often.

    What stands where the other is taken is hidden, be it NaN; a product with zero hides nothing, nor does the
    larger of two: only what is chosen by a third.
    """
    calls = [list(_calls(tree.module, Trait.EITHER)) for tree in sides]
    before, after = (sum(len(c.args) + len(c.keywords) > 2 for c in every) for every in calls)
    return before > after


def is_of(call: ast.Call, word: Trait) -> bool:
    """Whether a word holds of what is called, by its last name."""
    function = call.func
    if isinstance(function, ast.Name):
        return function.id in _last_names(word, True)
    return isinstance(function, ast.Attribute) and function.attr in _last_names(word, False)


@cache
def _last_names(word: Trait, is_plain: bool) -> frozenset[str]:
    """The last names of what a word holds of; plain names may be those of builtins too."""
    split = (name.rpartition(".") for name in behaviour.names(word))
    return frozenset(last for home, _, last in split if is_plain or home != _BUILTINS)


def _calls(node: ast.AST, *words: Trait) -> Iterator[ast.Call]:
    for part in ast.walk(node):
        if not isinstance(part, ast.Call) or not any(is_of(part, word) for word in words):
            continue
        if part.args or _orders(part):
            if not any(isinstance(argument, ast.Starred) for argument in part.args):
                yield part


def _orders(call: ast.Call) -> list[ast.Tuple]:
    """By what a call puts things in order, where that is several things."""
    if not is_of(call, Trait.SORTS):
        return []
    keys = (k.value.body for k in call.keywords if isinstance(k.value, ast.Lambda))
    return [key for key in keys if isinstance(key, ast.Tuple) and len(key.elts) > 1]


def _wrong_order(call: ast.Call, key: ast.Tuple) -> ast.expr:
    """The key without what decides between equals, or where things come in that order anyway, with it turned round.

    Of turns, sorting keeps those that are equal in their order.
    """
    first, *rest = key.elts
    over = call.args[0] if call.args else None
    is_counted = isinstance(over, ast.Call) and ast.unparse(over.func) == "range"
    making = [k.value for k in call.keywords if isinstance(k.value, ast.Lambda)]
    names = [arg.arg for one in making if one.body is key for arg in one.args.args]
    if is_counted and [ast.unparse(part) for part in rest] == names:
        return ast.Tuple([first, ast.UnaryOp(ast.USub(), rest[0])], ast.Load())
    return first


def _without(side: int, unit: str, call: ast.Call, tree: Tree) -> Iterator[Without]:
    # A method changes what it is called on.
    rows: list[tuple[ast.expr, ast.expr]]
    rows = [(call, _watched(call, other)) for other in _instead(call)] if call.args else []
    rows += [(key, _wrong_order(call, key)) for key in _orders(call)]
    for old, other in rows:
        with put(tree.module, old, other):
            text = ast.unparse(tree.module)
        yield Without(side, unit, call.lineno, said(call), text)


def _watched(call: ast.Call, other: ast.expr) -> ast.expr:
    """What is put in the place of an operation, beside which it is made: where both are the same nothing
    was reached, and where they are not it may still be that nothing hangs on it.

    What both are made of is made once.
    """
    parts = [ast.Name(KEPT, ast.Load()) if part is other else part for part in call.args]
    names, more = [KEPT], list[ast.expr]()
    if is_of(call, Trait.EITHER) and len(call.args) > 2:
        # Where the other is asked for, and the same, nothing hangs on it either.
        names, more = [KEPT, _ASKED], [call.args[0], ast.Constant(other is call.args[-1])]
        parts[0] = ast.Name(_ASKED, ast.Load())
    return watched(ast.Call(call.func, parts, call.keywords), other, names, more)


def watched(
    expression: ast.expr,
    other: ast.expr,
    names: Sequence[str] = (KEPT,),
    more: Sequence[ast.expr] = (),
) -> ast.expr:
    """What gives `other` in the place of an expression, and notes whether that is something else."""
    arguments = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
    given = [ast.Lambda(arguments, expression), other, *more]
    return ast.Call(ast.Name(REACHED, ast.Load()), given, [])


def said(node: ast.AST) -> str:
    """An expression in few words."""
    text = ast.unparse(node).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."


def _instead(call: ast.Call) -> list[ast.expr]:
    """What an operation gives where no bound is reached, or where only one is asked for."""
    if is_of(call, Trait.SORTS) and isinstance(call.func, ast.Name):
        return [ast.Call(ast.Name("list", ast.Load()), call.args[:1], [])]
    if is_of(call, Trait.EITHER):
        parts = call.args[-2:] if len(call.args) > 1 else []
        return [part for part in parts if not isinstance(part, (ast.Constant, ast.UnaryOp))]
    if any(name.rpartition(".")[2] == _last(call) for name in _of_structures()):
        far = [call.args[0], ast.Constant(_FAR)]
        return [ast.Call(call.func, far, [])]
    return [call.args[0]]


@cache
def _of_structures() -> frozenset[str]:
    """Those that bound a whole list, and give more than that."""
    names = behaviour.names(Trait.BOUNDS)
    return frozenset(name for name in names if behaviour.of(name).result == "structure")


def _last(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


@contextlib.contextmanager
def put(module: ast.AST, old: ast.AST, new: ast.AST) -> Iterator[None]:
    """Let one node stand in the place of another."""
    for node in ast.walk(module):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
                yield
                setattr(node, name, old)
                return
            if isinstance(value, list) and any(part is old for part in value):
                place = next(i for i, part in enumerate(value) if part is old)
                value[place] = new
                yield
                value[place] = old
                return
    yield
