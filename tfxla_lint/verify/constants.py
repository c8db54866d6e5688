"""What the numbers that code names say of values that matter to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.bounds import is_of
from tfxla_lint.verify.trees import Tree, attributes_in, names_read, root_of
from tfxla_lint.verify.uses import is_name, number_of

#: Through so many functions it is followed what becomes of a value.
_DEEP = 4
#: So much is nearly nothing.
_TINY = 1e-4
_OF_NAN = re.compile(r"\bnan|nan\b|_nan|isnan|isfinite|is_finite", re.IGNORECASE)


def constants_in(tree: Tree) -> list[int]:
    """The whole numbers that the code names: sizes, mostly."""
    found = dict.fromkeys(
        node.value
        for node in ast.walk(tree.module)
        if isinstance(node, ast.Constant) and type(node.value) is int
    )
    return [value for value in found if 1 < value <= 1024]


def has_negatives(tree: Tree, is_written: bool = False) -> bool:
    """Whether whole numbers below zero mean something of their own.

    Code compares with one, has one as a default, asks whether something is below zero, or for its size;
    where one `is_written` only the first two count.
    """
    for node in ast.walk(tree.module):
        if isinstance(node, ast.Call) and is_name(node.func, "abs") and not is_written:
            return True
        if isinstance(node, ast.Compare):
            is_order = not isinstance(node.ops[0], (ast.Eq, ast.NotEq))
            parts = [node.left, *node.comparators]
            numbers = [n for n in map(number_of, parts) if type(n) is int]
            if any(n < 0 or (n == 0 and is_order and not is_written) for n in numbers):
                return True
        if isinstance(node, ast.arguments):
            defaults = [d for d in (*node.defaults, *node.kw_defaults) if d is not None]
            numbers = [n for n in map(number_of, defaults) if type(n) is int]
            if any(n < 0 for n in numbers):
                return True
    return False


def never_below(tree: Tree, unit: str) -> set[str]:
    """The parameters of a function of which no code asks whether they, or members of them, are below zero."""
    function = tree.functions.get(unit)
    if function is None or has_negatives(tree, is_written=True):
        return set()
    args = function.args
    return {arg.arg for arg in (*args.args, *args.kwonlyargs)} - _asked_below(tree, unit, ())


def _asked_below(tree: Tree, unit: str, callers: tuple[str, ...]) -> set[str]:
    """The names of a function that it holds against zero by size, or passes to one of its module that does.

    Of a function that it does not just call, or whose arguments are not plain, all may be asked for.
    """
    function = tree.functions[unit]
    asked: set[str] = set()
    calls: dict[str, list[ast.Call]] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and not isinstance(node.ops[0], (ast.Eq, ast.NotEq)):
            parts = [node.left, *node.comparators]
            asked |= _named(parts) if 0 in map(number_of, parts) else set()
        elif isinstance(node, ast.Call):
            # What takes it beside 0 may ask for it, too: `tf.maximum(ids, 0)`.
            is_asked = is_name(node.func, "abs") or 0 in map(number_of, node.args)
            asked |= _named(node.args) if is_asked else set()
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            calls.setdefault(name, []).append(node)
    read = names_read(function) | attributes_in(function)
    for other in tree.functions if len(callers) < _DEEP else ():
        name = other.rpartition(".")[2]
        if name not in read or other == unit or other in callers:
            continue
        its = _asked_below(tree, other, (*callers, unit))
        given = [a.arg for a in tree.functions[other].args.args]
        for call in calls.get(name, []):
            pairs = [*zip(given["." in other :], call.args, strict=False)]
            pairs += [(k.arg or "", k.value) for k in call.keywords]
            asked |= {n for arg, value in pairs if arg in its for n in _named([value])}
        if its and name not in calls:
            asked |= names_read(function)
    binding = list(_bindings(function))
    while True:
        more = {n for targets, names in binding if targets & asked for n in names} - asked
        if not more:
            return asked
        asked |= more


def _named(parts: Iterable[ast.expr]) -> set[str]:
    """The names that some values begin with, or all in what is made of several."""
    return {name for part in parts for name in ({*root_of(part)} or names_read(part))}


def _bindings(function: ast.AST) -> Iterator[tuple[set[str], set[str]]]:
    """The names that are bound, and those of what they are bound to."""
    for node in ast.walk(function):
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield {n for t in targets for n in _stored(t)}, _taken(node.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield set(_stored(node.target)), _taken(node.iter)


def _taken(node: ast.AST) -> set[str]:
    """The names of which a value is made, but for places in something."""
    if isinstance(node, ast.Subscript):
        return _taken(node.value)
    own = {node.id} if isinstance(node, ast.Name) else set()
    return own.union(*map(_taken, ast.iter_child_nodes(node)))


def _stored(target: ast.expr) -> Iterator[str]:
    yield from root_of(target)
    yield from (
        n.id for n in ast.walk(target) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )


def compared_in(tree: Tree) -> list[float]:
    """The numbers that code compares with by size."""
    found: dict[float, None] = {}
    for node in ast.walk(tree.module):
        if isinstance(node, ast.Compare):
            found.update(dict.fromkeys(_floats([node.left, *node.comparators])))
        elif isinstance(node, ast.Call) and is_of(node, Trait.TELLS_GREATER):
            found.update(dict.fromkeys(_floats(node.args)))
    return list(found)


def _floats(parts: Iterable[ast.expr]) -> Iterator[float]:
    numbers = (number_of(part) for part in parts)
    return (float(n) for n in numbers if n is not None and not isinstance(n, bool))


def leaves_ties_open(nodes: Iterable[ast.AST]) -> bool:
    """Whether code asks for an order of which nothing is promised for what is equal.

    The place of the greatest is the first wherever code runs, whatever is promised.
    """
    calls = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call)]
    return any(
        is_of(call, Trait.OPEN_TIES)
        and is_of(call, Trait.PERMUTES)
        and not any(_is_stable(k) for k in call.keywords)
        for call in calls
    )


def _is_stable(keyword: ast.keyword) -> bool:
    value = getattr(keyword.value, "value", None)
    return "stable" in (keyword.arg, value) and value is not False


def asks_for_nan(tree: Tree) -> bool:
    """Whether code speaks of what is no number."""
    # What divides by nothing to nothing (`divide_no_nan`) speaks of zero.
    return bool(_OF_NAN.search(tree.text.replace("_no_nan", "")))


def has_tiny(tree: Tree) -> bool:
    """Whether code names a number that is nearly nothing: it matters beside such values only."""
    values = (node.value for node in ast.walk(tree.module) if isinstance(node, ast.Constant))
    return any(type(value) is float and 0 < abs(value) <= _TINY for value in values)
