"""Attributes that two versions of a class begin with as other kinds of things: a list of sets that became
an array, a list of sums that is made when the first comes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfxla_lint.verify.trees import FUNCTIONS, Tree

#: What makes such a thing, and is called as it is.
_MADE = (ast.List, ast.ListComp, ast.Tuple, ast.Dict, ast.DictComp, ast.Set, ast.SetComp)
_KINDS = frozenset(node.__name__.removesuffix("Comp").lower() for node in _MADE)


def remade(old: Tree, new: Tree) -> set[str]:
    """The attributes that methods of one class and name set to other kinds of things in two versions, and
    that only methods of it read, by `self`: to all others they are no results, but ways to them."""
    before, after = dict(_set(old)), dict(_set(new))
    found = set()
    for (owner, method, name), form in before.items():
        other = after.get((owner, method, name))
        if form is not None and other is not None and form != other:
            found.add(name)
    return found - _read_elsewhere(old) - _read_elsewhere(new)


def _set(tree: Tree) -> Iterator[tuple[tuple[str, str, str], str | None]]:
    """What each method sets to what kind of thing, by class, method and attribute."""
    for owner in ast.walk(tree.module):
        if not isinstance(owner, ast.ClassDef):
            continue
        for method in owner.body:
            if isinstance(method, FUNCTIONS):
                for name, value in _assigned(method):
                    yield (owner.name, method.name, name), _form(value)


def _assigned(method: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(method):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target = node.targets[0]
            if isinstance(target, ast.Attribute) and _is_self(target.value):
                yield target.attr, node.value


def _form(value: ast.expr) -> str | None:
    """What kind of thing an expression makes; None where that is not plain."""
    if isinstance(value, ast.Constant):
        return "None" if value.value is None else None
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mult):
        sides = [_form(side) for side in (value.left, value.right)]
        return next((form for form in sides if form in _KINDS), None)
    if isinstance(value, ast.Call):
        called = ast.unparse(value.func)
        return called if called in _KINDS or "." in called else None
    if isinstance(value, _MADE):
        return type(value).__name__.removesuffix("Comp").lower()
    return None


def _is_self(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _read_elsewhere(tree: Tree) -> set[str]:
    """The attributes that are read of other things than `self`."""
    nodes = ast.walk(tree.module)
    return {n.attr for n in nodes if isinstance(n, ast.Attribute) and not _is_self(n.value)}
