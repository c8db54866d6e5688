"""Tensors that text formatting turns into digits: `f"{x:.2f}"`, `"%d" % x`, `"{:.2f}".format(x)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Formatter

import libcst as cst

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

_CONVERSION = re.compile(r"%[-+ #0-9.]*([a-zA-Z%(*])")
_NUMERIC = frozenset("diouxXeEfFgG")


def formatted_tensors(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    """The symbolic tensors that a part of an f-string, a `%` or a call of `format` fails on."""
    for value in _formatted(model, node):
        if is_symbolic(model, value):
            yield value


def _formatted(model: SemanticModel, node: cst.CSTNode) -> Iterator[cst.BaseExpression]:
    if isinstance(node, cst.FormattedStringExpression):
        if node.format_spec and not node.conversion:
            yield node.expression
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, cst.Modulo):
        yield from _by_percent(node)
    elif isinstance(node, cst.Call):
        yield from _by_call(model, node)


def _text(node: cst.BaseExpression) -> str | None:
    if not isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        return None
    text = node.evaluated_value
    return text if isinstance(text, str) else None


def _by_percent(node: cst.BinaryOperation) -> Iterator[cst.BaseExpression]:
    text = _text(node.left)
    if text is None:
        return
    kinds = [kind for kind in _CONVERSION.findall(text) if kind != "%"]
    values = [node.right]
    if isinstance(node.right, cst.Tuple):
        values = [element.value for element in node.right.elements]
    if len(kinds) == len(values) and not {"(", "*"} & set(kinds):
        for kind, value in zip(kinds, values, strict=True):
            if kind in _NUMERIC:
                yield value


def _by_call(model: SemanticModel, node: cst.Call) -> Iterator[cst.BaseExpression]:
    if model.names.one(node.func) == "builtins.format":
        if len(node.args) == 2 and _text(node.args[1].value):
            yield node.args[0].value
        return
    if not isinstance(node.func, cst.Attribute) or node.func.attr.value != "format":
        return
    text = _text(node.func.value)
    if text is None or any(argument.star for argument in node.args):
        return
    plain = [a.value for a in node.args if a.keyword is None]
    named = {a.keyword.value: a.value for a in node.args if a.keyword is not None}
    for field in _fields_with_spec(text):
        if field.isdigit() and int(field) < len(plain):
            yield plain[int(field)]
        elif field in named:
            yield named[field]


def _fields_with_spec(text: str) -> Iterator[str]:
    """The fields of a format string that have a format specification and no conversion."""
    count = 0
    try:
        for _, name, spec, conversion in Formatter().parse(text):
            if name is None:
                continue
            field = name or str(count)
            count += name == ""
            if spec and conversion is None:
                yield field
    except ValueError:
        return
