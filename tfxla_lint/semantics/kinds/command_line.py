"""What a program is told on its command line: the options of `argparse`, of the kinds that these have.

(https://docs.python.org/3/library/argparse.html#the-add-argument-method)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.semantics import api
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.names import Names
from tfxla_lint.semantics.syntax import is_none, is_self
from tfxla_lint.semantics.values import (
    BOOL,
    PYTHON_SCALARS,
    STRING,
    UNKNOWN,
    Kind,
    Value,
    dict_of,
    list_of,
    sequence,
)

PARSER = "argparse.ArgumentParser"
_NAMESPACE = "argparse.Namespace"
_TOLD, _LEFT = Value(Kind.OBJECT, name=_NAMESPACE), list_of(STRING)


def method(receiver: Value, name: str) -> Value | None:
    """What a method of a parser gives; None if it is none of those that are known."""
    if receiver.name != PARSER:
        return None
    if name == "parse_args":
        return _TOLD
    if name == "parse_known_args":
        return sequence(Kind.TUPLE, (_TOLD, _LEFT))
    return receiver if name in ("add_argument_group", "add_mutually_exclusive_group") else None


def is_told(value: Value) -> bool:
    """Whether a value is what the command line says, option by option."""
    return value.kind is Kind.OBJECT and value.name == _NAMESPACE


class CommandLine:
    """The options of the programs of all modules, by the attributes under which they are read.

    An option that code sets anew, or that parsers add as several kinds, is UNKNOWN.
    """

    def __init__(self, binders: Sequence[Binder], names: Names) -> None:
        self._names = names
        self._options: dict[str, Value] = {}
        set_anew = {name for binder in binders for name in _set(binder)}
        for name, calls in added(call for b in binders for call in b.nodes(cst.Call)).items():
            values = {self._option(call) for call in calls}
            is_one = len(values) == 1 and name not in set_anew
            self._options[name] = values.pop() if is_one else UNKNOWN

    def option(self, name: str) -> Value:
        """What an option is."""
        return self._options.get(name, UNKNOWN)

    @property
    def all(self) -> Value:
        """All options, as `vars` gives them."""
        return dict_of(self._options) if self._options else Value(Kind.DICT)

    def _option(self, call: cst.Call) -> Value:
        given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        if any(a.star for a in call.args):
            return UNKNOWN
        if "action" in given:
            action = given["action"]
            text = action.evaluated_value if isinstance(action, cst.SimpleString) else None
            return BOOL if text in ("store_true", "store_false") else UNKNOWN
        name = self._names.one(given["type"]) if "type" in given else "builtins.str"
        kind = api.kind_of(behaviour.of(name)) if name is not None else Kind.UNKNOWN
        value = Value(kind) if kind in PYTHON_SCALARS else UNKNOWN
        if "default" not in given:
            is_there = "required" in given or not _is_optional(call)
            value = value._replace(maybe_none=not is_there)
        elif is_none(given["default"]):
            value = value._replace(maybe_none=True)
        elif "type" not in given and not isinstance(given["default"], cst.SimpleString):
            return UNKNOWN
        return list_of(value) if "nargs" in given and value.is_known else value


def _set(binder: Binder) -> Iterable[str]:
    """The attributes that code sets of anything but `self`."""
    targets = (node.target for node in binder.nodes(cst.AssignTarget))
    for target in (*targets, *(node.target for node in binder.nodes(cst.AugAssign))):
        if isinstance(target, cst.Attribute) and not is_self(target.value):
            yield target.attr.value


def added(calls: Iterable[cst.Call]) -> dict[str, list[cst.Call]]:
    """The calls that add options to parsers, by the attributes under which these are read."""
    found: dict[str, list[cst.Call]] = {}
    for call in calls:
        if isinstance(call.func, cst.Attribute) and call.func.attr.value == "add_argument":
            name = _attribute(call)
            if name is not None:
                found.setdefault(name, []).append(call)
    return found


def _attribute(call: cst.Call) -> str | None:
    """The attribute by which the value of an option is read."""
    given = argument(call, "dest", len(call.args))
    if given is not None:
        return _text(given)
    named = _named(call)
    if not named:
        return None
    longest = next((word for word in named if word.startswith("--")), named[0])
    return longest.lstrip("-").replace("-", "_")


def _named(call: cst.Call) -> list[str]:
    words = (_text(a.value) for a in call.args if a.keyword is None and not a.star)
    return [word for word in words if word is not None and word.strip("-")]


def _is_optional(call: cst.Call) -> bool:
    return any(word.startswith("-") for word in _named(call))


def _text(node: cst.BaseExpression) -> str | None:
    value = node.evaluated_value if isinstance(node, cst.SimpleString) else None
    return value if isinstance(value, str) else None
