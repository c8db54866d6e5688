"""Marks code in a source text, so that the worker sees whether it runs and what it returns."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from tfxla_lint.verify.changes import MODULE
from tfxla_lint.verify.trees import Function, Tree, first_line

#: Keras looks at these methods itself; a stand-in for them could confuse it.
_KERAS_OWN = frozenset(
    {"call", "build", "train_step", "test_step", "predict_step", "get_config", "compute_loss"}
)
_BINDING = frozenset({"property", "staticmethod", "classmethod", "setter", "cached_property"})


def can_be_watched(tree: Tree, name: str) -> bool:
    """Whether a function can be replaced by a stand-in that records its results."""
    function = tree.functions[name]
    short = name.rpartition(".")[2]
    if short in _KERAS_OWN or short.startswith("__") or isinstance(function, ast.AsyncFunctionDef):
        return False
    words = {_last_word(decorator) for decorator in function.decorator_list}
    if words & _BINDING or _is_generator(function):
        return False
    called = {id(n.func) for n in ast.walk(tree.module) if isinstance(n, ast.Call)}
    for node in ast.walk(tree.module):
        is_plain = isinstance(node, ast.Name) and node.id == short and "." not in name
        is_method = isinstance(node, ast.Attribute) and node.attr == short
        if (is_plain or is_method) and id(node) not in called and _is_load(node):
            return False
    return True


def marked(tree: Tree, watched: Iterable[str], hit: Iterable[str], lines: Iterable[int]) -> str:
    """The text with stand-ins for the functions `watched` and notes in `hit` and before `lines`.

    A mark takes a line of its own, so the lines below it move down.
    """
    inserts: list[tuple[int, str]] = []
    for name in watched:
        function = tree.functions[name]
        inserts.append((first_line(function), f'{_indent(function)}@__txl_boundary__("{name}")'))
    rest = []
    for name in hit:
        function = tree.functions[name]
        body = function.body[1:] if _starts_with_text(function) else function.body
        if body and body[0].lineno > function.lineno:
            line = first_line(body[0])
            inserts.append((line, f'{" " * body[0].col_offset}__txl_hit__("{name}")'))
        else:
            rest.append(name)
    inserts += [(line, f'__txl_hit__("{MODULE}")') for line in lines]
    text = tree.text.split("\n")
    for line, new in sorted(inserts, reverse=True):
        text.insert(line - 1, new)
    text += [f'__txl_hit__("{name}")' for name in rest]
    return "\n".join(text)


def _last_word(node: ast.expr) -> str:
    while isinstance(node, ast.Call):
        node = node.func
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_generator(function: Function) -> bool:
    return any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(function))


def _is_load(node: ast.AST) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)


def _indent(function: Function) -> str:
    return " " * function.col_offset


def _starts_with_text(function: Function) -> bool:
    first = function.body[0]
    return isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
