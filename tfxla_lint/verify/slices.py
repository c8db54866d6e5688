"""The backward slice of a module that one function needs: what is run around it, and no more."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfxla_lint.verify.trees import Statement, Tree, attributes_in, first_line, names_read

#: Calls on modules that set how everything after them behaves.
_SETTING = frozenset(
    {
        "set_seed",
        "seed",
        "set_random_seed",
        "set_floatx",
        "set_global_policy",
        "set_policy",
        "run_functions_eagerly",
        "enable_numpy_behavior",
        "experimental_enable_numpy_behavior",
        "filterwarnings",
        "setLevel",
    }
)
_TRAINING = frozenset({"fit", "apply_gradients", "GradientTape", "minimize", "train_on_batch"})


def slice_for(tree: Tree, roots: set[str], also: Iterable[str] = ()) -> str:
    """The module's text with only the statements that `roots` need; lines keep their numbers.

    The names `also` are kept beside them, since another version needs them.
    """
    kept = _needed(tree, roots, also)
    if all(statement in kept for statement in tree.statements):
        return tree.text
    lines = tree.text.split("\n")
    keep: set[int] = set()
    for statement in kept:
        node = statement.node
        keep.update(range(first_line(node), (node.end_lineno or node.lineno) + 1))
    return "\n".join(line if i in keep else "" for i, line in enumerate(lines, 1))


def _needed(tree: Tree, roots: set[str], also: Iterable[str]) -> list[Statement]:
    needed = {*roots, *also}
    kept: dict[int, Statement] = {}
    grown = True
    while grown:
        grown = False
        for index, statement in enumerate(tree.statements):
            if index not in kept and _is_needed(statement, needed, roots):
                kept[index] = statement
                needed |= statement.reads | statement.binds
                grown = True
    return [kept[index] for index in sorted(kept)]


def _is_needed(statement: Statement, needed: set[str], roots: set[str]) -> bool:
    node = statement.node
    if statement.is_main_guard:
        return False
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return True
    if _is_setting(node):
        return True
    if isinstance(node, (ast.For, ast.While, ast.AsyncFor)):
        return _is_needed_loop(statement, needed, roots)
    return bool((statement.binds | statement.changes) & needed)


def _is_needed_loop(statement: Statement, needed: set[str], roots: set[str]) -> bool:
    """Loops that prepare something, not those that run what is to be checked, or train."""
    if statement.reads & roots or _TRAINING & attributes_in(statement.node):
        return False
    return bool((statement.binds | statement.changes) & needed)


def _is_setting(node: ast.stmt) -> bool:
    if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    return isinstance(function, ast.Attribute) and function.attr in _SETTING


def is_reached(tree: Tree, names: set[str]) -> bool:
    """Whether code that runs at module level can come to one of the functions `names`."""
    roots = {name.partition(".")[0] for name in names}
    methods = {name.rpartition(".")[2] for name in names if "." in name}
    reads: set[str] = set()
    attributes: set[str] = set()
    for statement in tree.statements:
        if not statement.is_definition:
            reads |= statement.reads
            attributes |= attributes_in(statement.node)
    known: set[str] = set()
    while pending := (reads & (set(tree.functions) | set(tree.classes))) - known:
        known |= pending
        for name in pending:
            node = tree.functions.get(name) or tree.classes.get(name)
            if node is not None:
                reads |= names_read(node)
                attributes |= attributes_in(node)
    return bool(roots & reads or methods & attributes)
