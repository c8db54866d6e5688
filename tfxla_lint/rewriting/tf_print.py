"""Turns `print(...)` into `tf.print(...)`, which prints on every call of a traced function."""

from __future__ import annotations

import libcst as cst

from tfxla_lint.edits import NodeEdit, Replace
from tfxla_lint.rewriting.spelling import tensorflow_name
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.tracing.printed import shown_tensors
from tfxla_lint.semantics.tracing.symbolic import is_symbolic

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
    arguments: list[str] = []
    for part in text.parts:
        if isinstance(part, cst.FormattedStringText):
            arguments.append(_literal(text, part.value))
        elif isinstance(part, cst.FormattedStringExpression):
            if part.format_spec or part.conversion or part.equal:
                return None
            if isinstance(part.expression, cst.Tuple) and not part.expression.lpar:
                return None
            arguments.append(model.module.code_for_node(part.expression))
    separator = ', sep=""' if len(arguments) > 1 else ""
    return [Replace(call, f"{name}({', '.join(arguments)}{separator})")]


def _literal(text: cst.FormattedString, value: str) -> str:
    """A stretch of an f-string's own text as a string literal."""
    prefix = text.start.rstrip("\"'").replace("f", "").replace("F", "")
    quote = text.end
    return f"{prefix}{quote}{value.replace('{{', '{').replace('}}', '}')}{quote}"
