"""Texts between two versions of a module: some of the changes made, the others not."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Collection

from tfxla_lint.differences import differences
from tfxla_lint.verify.changes import MODULE, Changes, key_of, only_adds
from tfxla_lint.verify.trees import FUNCTIONS, Function, Statement, Tree


class Unmixable(Exception):
    """The changes cannot be told apart in the text; the message says why."""


def mixed(old: Tree, new: Tree, changes: Changes, units: Collection[str]) -> str:
    """The original with the changes of `units`, and with what the rewritten version only adds."""
    restored = set(changes.functions) - set(units)
    for tree in (old, new):
        twice = [name for name, count in _definitions(tree).items() if count > 1]
        if restored & set(twice):
            raise Unmixable(f"{twice[0]} is defined more than once")
    module = ast.Module(_statements(old, new, changes, set(units)), [])
    _Restoring(old, restored).visit(module)
    return ast.unparse(ast.fix_missing_locations(module))


def _definitions(tree: Tree) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in ast.walk(tree.module):
        if isinstance(node, ast.ClassDef):
            found.update(
                f"{node.name}.{n.name}" for n in ast.walk(node) if isinstance(n, FUNCTIONS)
            )
    found.update(n.name for n in tree.module.body if isinstance(n, FUNCTIONS))
    return found


def _statements(old: Tree, new: Tree, changes: Changes, units: set[str]) -> list[ast.stmt]:
    """The statements of the rewritten version, those that belong to other units put back."""
    left, right = ([(_label(s), s) for s in tree.statements] for tree in (old, new))
    labels = {label for label, _ in right}
    kept: list[Statement] = []
    at = 0
    for i1, i2, j1, j2 in differences([key for key, _ in left], [key for key, _ in right]):
        kept += [s for _, s in right[at:j1]]
        at = j2
        for label, statement in left[i1:i2]:
            is_moved = statement.is_definition and label in labels
            if not is_moved and not _belongs(statement, changes, units):
                kept.append(statement)
        for _, statement in right[j1:j2]:
            is_new = statement.is_definition or only_adds(statement, old)
            if is_new or _belongs(statement, changes, units):
                kept.append(statement)
    kept += [s for _, s in right[at:]]
    return [copy.deepcopy(statement.node) for statement in kept]


def _label(statement: Statement) -> str:
    """The same for a definition in both versions, whatever is in it."""
    node = statement.node
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return f"def {node.name}"
    return key_of(node)


def _belongs(statement: Statement, changes: Changes, units: set[str]) -> bool:
    """Whether a changed statement at module level is part of the change of one of `units`."""
    if statement.is_definition:
        return False
    if statement.binds and statement.binds <= set(changes.functions):
        return bool(statement.binds & units)
    return MODULE in units


class _Restoring(ast.NodeTransformer):
    """Puts functions of the original back into their places, and methods that are gone."""

    def __init__(self, old: Tree, names: set[str]) -> None:
        self._old = old
        self._names = names
        self._class = ""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """Go into the classes at module level."""
        if self._class:
            return node
        self._class = f"{node.name}."
        self.generic_visit(node)
        present = {part.name for part in ast.walk(node) if isinstance(part, FUNCTIONS)}
        for name, function in self._old.functions.items():
            owner, _, method = name.rpartition(".")
            if owner == node.name and method not in present:
                node.body.append(copy.deepcopy(function))
        self._class = ""
        return node

    def visit_FunctionDef(self, node: Function) -> ast.AST:
        """The original's function, where this one is to be put back."""
        name = self._class + node.name
        return copy.deepcopy(self._old.functions[name]) if name in self._names else node

    visit_AsyncFunctionDef = visit_FunctionDef
