"""Calls and headers that would be too long for a file: broken as formatters break them."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel

#: The usual limits of line length; the file's longest line says which of them its author keeps.
_LIMITS = (79, 88, 100, 120)


def line_limit(model: SemanticModel) -> int:
    """The length that the lines of a file keep to, but for a few."""
    lengths = sorted(len(line) for line in model.source.text.splitlines())
    usual = lengths[int(len(lengths) * 0.98)] if lengths else 0
    return next((limit for limit in _LIMITS if usual <= limit), _LIMITS[-1])


def column_of(model: SemanticModel, node: cst.CSTNode) -> int:
    """How far a statement is indented, tabs counting as four columns."""
    blocks = [a for a in model.ancestors(node) if isinstance(a, cst.IndentedBlock)]
    default = model.module.default_indent
    return sum(len((b.indent or default).expandtabs(4)) for b in blocks)


def wrapped(
    head: str, items: Sequence[str], tail: str, column: int, limit: int, indent: str
) -> str:
    """`head(items)tail`, on one line where it fits; else the items below, or each on its own."""
    flat = ", ".join(items)
    line = f"{head}({flat}){tail}"
    if not items or column + len(line) <= limit:
        return line
    if column + len(indent.expandtabs(4)) + len(flat) <= limit:
        return f"{head}(\n{indent}{flat}\n){tail}"
    below = "".join(f"{indent}{item},\n" for item in items)
    return f"{head}(\n{below}){tail}"
