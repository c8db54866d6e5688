"""What lands in the parameter `name` of an operation: eager execution ignores it, a graph does not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import symbols
from tfxla_lint.semantics import api
from tfxla_lint.semantics.call_arguments import by_parameter
from tfxla_lint.semantics.excerpt import excerpt
from tfxla_lint.semantics.values import Kind, Value

if TYPE_CHECKING:
    from tfxla_lint.semantics.answers import Answers

_NAME = "name"
#: Of what nothing, or None, may be meant.
_NAMELESS = frozenset({Kind.NONE, Kind.UNKNOWN, Kind.UNBOUND, Kind.OBJECT})
_VALID = re.compile(r"[\w.\\/>-]*", re.ASCII)


def refused_name(model: Answers, call: cst.Call, function: str) -> str | None:
    """What a call of an operation gives for its name that no graph takes, in words after "it"."""
    if not api.is_op(function) or function.startswith(api.KERAS):
        return None
    refused = [a for a in call.args if not a.star and _is_refused(model.value(a.value))]
    given = next((a.value for a in refused if a.keyword and a.keyword.value == _NAME), None)
    if given is None and any(argument.keyword is None for argument in refused):
        symbol = symbols.find(function)
        named = by_parameter(call, symbol).get(_NAME) if symbol is not None else None
        given = next((a.value for a in refused if a.value is named), None)
    return f"passes `{excerpt(model, given)}` as a name, which no graph takes" if given else None


def _is_refused(value: Value) -> bool:
    """Whether an operation of a graph can't be called so; what counts as false is passed over."""
    if value.kind in _NAMELESS or value.maybe_none or (value.has_constant and not value.constant):
        return False
    if value.kind is not Kind.STRING:
        return value.kind is not Kind.BOOL or value.has_constant
    return isinstance(value.constant, str) and _VALID.fullmatch(value.constant) is None
