"""What the numbers that code names say of values that matter to it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.bounds import is_of
from tfxla_lint.verify.trees import Tree
from tfxla_lint.verify.uses import is_name, number_of

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
    """Whether code asks for an order, or a place, of which nothing is promised for what is equal."""
    calls = [n for node in nodes for n in ast.walk(node) if isinstance(n, ast.Call)]
    return any(
        is_of(call, Trait.OPEN_TIES) and not any(_is_stable(k) for k in call.keywords)
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
