"""Makes long programs short: the numbers of epochs and steps that they name are lowered."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect
from tfxla_lint.verify.inside import has_place, nested
from tfxla_lint.verify.trees import Tree, bound_names, first_line, names_read

_TURNS = re.compile(r"epoch|episode|step|iter|round|^n_?updates$", re.IGNORECASE)
_FEW = 2
#: So many times as long is many times.
_MANY = 5


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


def is_much_shorter(text: str) -> bool:
    """Whether one of the numbers that are lowered is many times as large."""
    values = (number.value for number in _numbers(Tree(text).module))
    return any(isinstance(value, int) and value >= _MANY * _FEW for value in values)


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


def awaited(tree: Tree) -> dict[int, int]:
    """The blocks that wait for a turn: their first lines, with those of what decides.

    A program that is run for a few turns comes to none that waits for a later one; what that changes is
    then not seen. Blocks that only show something or end a loop do not count.
    """
    lines = tree.text.split("\n")
    counters = set(_counters(tree.module))
    found = {}
    for node in ast.walk(tree.module):
        if isinstance(node, ast.If) and names_read(node.test) & counters:
            for block in (node.body, node.orelse):
                if block and _changes(block) and has_place(block[0], lines):
                    found[first_line(block[0])] = node.lineno
    return found


def _counters(module: ast.Module) -> Iterator[str]:
    """The names that count the turns of loops."""
    for node in ast.walk(module):
        if isinstance(node, (ast.For, ast.AsyncFor)):
            yield from bound_names([node.target])
        if isinstance(node, (ast.For, ast.AsyncFor, ast.While)):
            counted = (part for part in ast.walk(node) if isinstance(part, ast.AugAssign))
            yield from (part.target.id for part in counted if isinstance(part.target, ast.Name))


def _changes(block: list[ast.stmt]) -> bool:
    """Whether a block may change something that later turns see."""
    showing = behaviour.methods(Effect.LOGS) | {"print"}
    for statement in nested(block):
        if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete)):
            return True
        value = statement.value if isinstance(statement, ast.Expr) else None
        if isinstance(value, ast.Call):
            function = value.func
            if getattr(function, "attr", getattr(function, "id", "")) not in showing:
                return True
    return False
