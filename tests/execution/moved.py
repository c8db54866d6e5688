"""Tells which global names of a program a rewrite turned into locals of a function, or added."""

from __future__ import annotations

import ast


def moved_names(before: str, after: str) -> set[str]:
    """The module globals of one source that the other binds inside functions only.

    A hoisted loop body makes `grads` a local of the new step; that nothing still needed the
    global is shown by the second program running to its end.
    """
    return (_bound(before)[0] - _bound(after)[0]) & _bound(after)[1]


def added_names(before: str, after: str) -> set[str]:
    """The module globals of one source that the other does not as much as mention."""
    mentioned = {node.id for node in ast.walk(ast.parse(before)) if isinstance(node, ast.Name)}
    return _bound(after)[0] - mentioned


def _bound(source: str) -> tuple[set[str], set[str]]:
    """The names bound at module level, and those bound in any function."""
    names: tuple[set[str], set[str]] = (set(), set())
    pending: list[tuple[ast.AST, bool]] = [(ast.parse(source), False)]
    while pending:
        node, inside = pending.pop()
        function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names[inside].add(node.id)
        if isinstance(node, ast.arg):
            names[1].add(node.arg)
        pending += [(child, inside or function) for child in ast.iter_child_nodes(node)]
    return names
