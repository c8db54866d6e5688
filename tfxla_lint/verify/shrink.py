"""Makes long programs short: the numbers of epochs and steps that they name are lowered."""

from __future__ import annotations

import ast
import re

from tfxla_lint.verify.trees import Tree

_TURNS = re.compile(r"epoch|episode|step|iter|round|^n_?updates$", re.IGNORECASE)
_FEW = 2


def shrunk(text: str) -> str:
    """The text with small numbers where it says how long to train; lines stay where they are.

    Only numbers that are given to such a name are lowered (`EPOCHS = 50`, `epochs=50`), so that
    two versions of a program that say the same are lowered alike.
    """
    lines = text.split("\n")
    for node in sorted(_numbers(Tree(text).module), key=_place, reverse=True):
        line = lines[node.lineno - 1].encode()
        start, end = node.col_offset, node.end_col_offset or node.col_offset
        lines[node.lineno - 1] = (line[:start] + str(_FEW).encode() + line[end:]).decode()
    return "\n".join(lines)


def _place(node: ast.Constant) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _numbers(module: ast.Module) -> list[ast.Constant]:
    found: list[tuple[str, ast.expr | None]] = []
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.append((node.targets[0].id, node.value))
        elif isinstance(node, ast.keyword) and node.arg:
            found.append((node.arg, node.value))
        elif isinstance(node, ast.arguments):
            given = node.args[len(node.args) - len(node.defaults) :]
            found += [(arg.arg, value) for arg, value in zip(given, node.defaults, strict=True)]
    return [
        value
        for name, value in found
        if isinstance(value, ast.Constant)
        and type(value.value) is int
        and value.value > _FEW
        and _TURNS.search(name)
    ]
