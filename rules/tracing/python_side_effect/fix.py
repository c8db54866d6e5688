"""Turns `print(...)` into `tf.print(...)`, which prints on every call of a traced function."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

from .printed import shown_tensors

_KEPT_KEYWORDS = frozenset({"sep", "end"})


def as_tf_print(model: SemanticModel, call: cst.Call) -> list[NodeEdit] | None:
    """The edits that make a `print` call a `tf.print` call with the same text, or None.

    An f-string is split into arguments, since tracing would turn its tensors into names of graph
    nodes. None where something would be lost: `file=`, a star, a tensor within text.
    """
    name = tensorflow_name(model, "print", at=call)
    if name is None or any(argument.star for argument in call.args):
        return None
    keywords = [a.keyword.value for a in call.args if a.keyword is not None]
    if not set(keywords) <= _KEPT_KEYWORDS:
        return None
    plain = [argument.value for argument in call.args if argument.keyword is None]
    if len(plain) == 1 and isinstance(plain[0], cst.FormattedString):
        return _split(model, call, plain[0], name) if not keywords else None
    for value in plain:
        if not is_symbolic(model, value) and shown_tensors(model, value):
            return None
    return [Replace(call.func, name)]


def _split(
    model: SemanticModel, call: cst.Call, text: cst.FormattedString, name: str
) -> list[NodeEdit] | None:
    spaced = _without_spaces(text)
    arguments: list[str] = []
    for index, part in enumerate(text.parts):
        if isinstance(part, cst.FormattedStringText):
            value = part.value if spaced is None else spaced[index]
            arguments += [_literal(text, value)] if value else []
        elif isinstance(part, cst.FormattedStringExpression):
            if part.format_spec or part.conversion or part.equal:
                return None
            if isinstance(part.expression, cst.Tuple) and not part.expression.lpar:
                return None
            arguments.append(model.code(part.expression))
    separator = ', sep=""' if len(arguments) > 1 and spaced is None else ""
    return [Replace(call, f"{name}({', '.join(arguments)}{separator})")]


def _without_spaces(text: cst.FormattedString) -> dict[int, str] | None:
    """The stretches of text without the spaces beside the values, where each has one.

    `tf.print` puts a space between its arguments by itself.
    """
    found: dict[int, str] = {}
    last = len(text.parts) - 1
    for index, part in enumerate(text.parts):
        if not isinstance(part, cst.FormattedStringText):
            if index < last and not isinstance(text.parts[index + 1], cst.FormattedStringText):
                return None
            continue
        value = part.value
        if 0 < index < last and value == " ":
            found[index] = ""
            continue
        value = value.removeprefix(" ") if index > 0 else value
        value = value.removesuffix(" ") if index < last else value
        shorter = len(part.value) - (index > 0) - (index < last)
        if not value or len(value) != shorter or value[0] == " " or value[-1] == " ":
            return None
        found[index] = value
    return found


def _literal(text: cst.FormattedString, value: str) -> str:
    """A stretch of an f-string's own text as a string literal."""
    prefix = text.start.rstrip("\"'").replace("f", "").replace("F", "")
    quote = text.end
    return f"{prefix}{quote}{value.replace('{{', '{').replace('}}', '}')}{quote}"
