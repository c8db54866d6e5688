"""Marks the values that code formats: what is printed has fewer digits than they have."""

from __future__ import annotations

import ast
import copy
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from tfxla_lint.verify.trees import UNPARSED

MARK = "__txl_shown__"


class Edit(NamedTuple):
    """A text that takes the place of another one, by line and bytes in it."""

    start: tuple[int, int]
    end: tuple[int, int]
    text: str


def template_number(template: str) -> int:
    """What stands for a template in marks."""
    return zlib.crc32(template.encode())


def templates_of(module: ast.Module) -> dict[int, str]:
    """The templates whose values are marked, by number."""
    return {template_number(t): t for _, t, _ in _formats(module)}


def with_values_marked(text: str, module: ast.Module) -> str:
    """The text with a call of the mark around each value that is formatted; lines stay."""
    replaced: list[Edit] = []
    inserted: list[Edit] = []
    for node, template, values in _formats(module):
        number = template_number(template)
        if isinstance(node, ast.JoinedStr):
            new = _marked_f_string(node, number)
            if new and ast.get_source_segment(text, node):
                replaced.append(Edit(*_range(node), new))
            continue
        for value in values:
            start, end = _range(value)
            inserted.append(Edit(start, start, f"{MARK}({number}, "))
            inserted.append(Edit(end, end, ")"))
    kept = [e for e in replaced if not any(o is not e and _holds(o, e) for o in replaced)]
    kept += [e for e in inserted if not any(_holds(o, e) for o in replaced)]
    lines = [line.encode() for line in text.split("\n")]
    for edit in sorted(kept, key=lambda e: (e.start, e.text != ")"), reverse=True):
        row, column = edit.start[0] - 1, edit.start[1]
        lines[row] = lines[row][:column] + edit.text.encode() + lines[row][edit.end[1] :]
    new = b"\n".join(lines).decode()
    try:
        ast.parse(new)
    except UNPARSED:
        # Positions in f-strings are not to be relied on before Python 3.12.
        return text
    return new


def _holds(outer: Edit, inner: Edit) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _range(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)


def _formats(module: ast.Module) -> Iterator[tuple[ast.expr, str, list[ast.expr]]]:
    """What is formatted with a number of digits: by which template, and which values."""
    for node in ast.walk(module):
        if isinstance(node, ast.JoinedStr):
            values = [p for p in node.values if isinstance(p, ast.FormattedValue)]
            if node.lineno == node.end_lineno and any(_has_digits(v.format_spec) for v in values):
                yield node, _template(node), []
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            template = _text(node.left)
            if "%" in template and "." in template:
                parts = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
                yield node, template, _plain(parts)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            template = _text(node.func.value)
            if node.func.attr == "format" and ":" in template and "." in template:
                yield node, template, _plain([*node.args, *(k.value for k in node.keywords)])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "round" and len(node.args) > 1:
                yield node, "round", _plain(node.args[:1])
        if isinstance(node, ast.Call) and len(node.args) > 1:
            # As of a logger.
            template = _text(node.args[0])
            if "%" in template and "." in template:
                yield node, template, _plain(node.args[1:])


def _plain(parts: list[ast.expr]) -> list[ast.expr]:
    values = [part.value if isinstance(part, ast.Starred) else part for part in parts]
    return [v for v in values if not isinstance(v, (ast.GeneratorExp, ast.Constant))]


def _text(node: ast.expr) -> str:
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, str) else ""


def _has_digits(spec: ast.expr | None) -> bool:
    return spec is not None and "." in ast.unparse(spec)


def _template(node: ast.JoinedStr) -> str:
    """The f-string without the expressions in it."""
    parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            spec = (
                _template(part.format_spec) if isinstance(part.format_spec, ast.JoinedStr) else ""
            )
            parts.append("{:" + spec + "}" if spec else "{}")
        elif isinstance(part, ast.Constant):
            parts.append(str(part.value))
    return "".join(parts)


def _marked_f_string(node: ast.JoinedStr, number: int) -> str:
    new = copy.deepcopy(node)
    for part in new.values:
        if isinstance(part, ast.FormattedValue) and _has_digits(part.format_spec):
            name, constant = ast.Name(MARK, ast.Load()), ast.Constant(number)
            part.value = ast.Call(name, [constant, part.value], [])
    try:
        return ast.unparse(new)
    except ValueError:
        return ""
