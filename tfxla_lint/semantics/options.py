"""What the settings of a program are when it is started without any argument.

A setting is an option of a command line (`argparse`, `absl.flags`), a variable of the environment
that is read with a default, or a parameter that nobody gives.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from tfxla_lint.knowledge import behaviour
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.call_arguments import argument
from tfxla_lint.semantics.flow.origins import PASSING, THROUGH, Agree, Look, Origins, Through
from tfxla_lint.semantics.flow.unpacking import Path
from tfxla_lint.semantics.frequency import Condition
from tfxla_lint.semantics.kinds.command_line import added
from tfxla_lint.semantics.supposed import outcome
from tfxla_lint.semantics.values import UNKNOWN, Value, of_constant

_FLAGS = "absl.flags.FLAGS"
_ACTIONS = {"store_true": False, "store_false": True}
#: By function: where the name of a setting and its default stand among the arguments.
_NAMED, _DEFAULT = behaviour.places("setting"), behaviour.places("default")


def by_default(model: Answers, node: cst.BaseExpression) -> Value:
    """What an expression is if the program is started without arguments; UNKNOWN if that is open."""
    return model.ask(_Settings).of(node)


def is_met_by_default(model: Answers, condition: Condition) -> bool:
    """Whether a condition is one that the settings alone decide, and holds as they are by default."""
    test, holds = condition.node, condition.holds
    if not isinstance(test, cst.BaseExpression) or holds is None:
        return False
    return outcome(test, lambda read: by_default(model, read)) is holds


def is_off_by_default(model: Answers, node: cst.CSTNode) -> bool:
    """Whether a function comes to a node only where the settings are others than those by default."""
    conditions = model.loops.frequency.conditions(node, model.unit(node).node)
    return any(is_met_by_default(model, each.otherwise()) for each in conditions)


class _Settings:
    """The question, and beside it the one for what holds the settings: `FLAGS`, `args`."""

    def __init__(self, model: Answers) -> None:
        self._model = model
        through = Through(model.calls.direct, lambda edge: True, attributes=True, agree=Agree.ONE)
        self._origins = Origins(model.flow, through, self._judge)
        self._holders = Origins(model.flow, through, self._judge_holder, self._origins)

    def of(self, node: cst.BaseExpression) -> Value:
        return self._origins.of(node) or UNKNOWN

    def _judge(self, node: cst.CSTNode, path: Path) -> Value | Look | None:
        if path:
            return THROUGH
        if isinstance(node, cst.Param):
            return self._origins.of(node.default)
        value = self._model.value(node)
        if value.has_constant:
            return of_constant(value.constant)
        if isinstance(node, cst.Attribute):
            holder = self._holders.of(node.value)
            return self._option(holder, node.attr.value) if holder is not None else THROUGH
        if isinstance(node, cst.Call):
            name = self._model.names.one(node.func) or ""
            if name in _DEFAULT and name not in _NAMED:
                return self._origins.of(argument(node, *_DEFAULT[name]))
        return THROUGH

    def _judge_holder(self, node: cst.CSTNode, path: Path) -> cst.CSTNode | Look | None:
        """`FLAGS` itself, the call that parses, or that defines the one flag; by what it is."""
        if isinstance(node, (cst.Name, cst.Attribute)):
            return node if _FLAGS in self._model.names.of(node) else THROUGH
        if isinstance(node, cst.Call):
            if self._model.names.one(node.func) in _NAMED or self._parses(node, path):
                return node
        return THROUGH if path or isinstance(node, (cst.Call, *PASSING)) else None

    def _parses(self, call: cst.Call, path: Path) -> bool:
        """Whether a call gives a namespace of options."""
        way = {"parse_args": (), "parse_known_args": (0,)}
        func = call.func
        return isinstance(func, cst.Attribute) and way.get(func.attr.value) == path

    def _option(self, holder: cst.CSTNode, name: str) -> Value | None:
        if not isinstance(holder, cst.Call):
            defined = _flags(self._model)
            return self._agreed(self._flag(c) for c in defined.get(name, ()))
        function = self._model.names.one(holder.func)
        if function in _NAMED:
            return self._flag(holder) if name == "value" else None
        added = _options(self._model).get(name, [])
        home = self._model.world.home(holder)
        here = [call for call in added if self._model.world.home(call) is home]
        return self._agreed(self._added(call) for call in here or added)

    def _agreed(self, values: Iterator[Value | None]) -> Value | None:
        found = list(values)
        return found[0] if found and all(value == found[0] for value in found) else None

    def _flag(self, call: cst.Call) -> Value | None:
        name = self._model.names.one(call.func) or ""
        return self._origins.of(argument(call, *_DEFAULT[name])) if name in _DEFAULT else None

    def _added(self, call: cst.Call) -> Value | None:
        """The default of an option of `argparse`."""
        given = {a.keyword.value: a.value for a in call.args if a.keyword is not None}
        if "required" in given or any(a.star for a in call.args):
            return None
        if "default" in given:
            return self._origins.of(given["default"])
        if "action" not in given:
            return of_constant(None)
        action = self._model.value(given["action"]).constant
        return of_constant(_ACTIONS.get(action)) if isinstance(action, str) else None


def _flags(model: Answers) -> dict[str, list[cst.Call]]:
    """The definitions of flags of absl, by the names of the flags."""
    return model.ask(_defined_flags)


def _defined_flags(model: Answers) -> dict[str, list[cst.Call]]:
    found: dict[str, list[cst.Call]] = {}
    for call in model.everywhere(cst.Call):
        name = model.names.one(call.func)
        if name is not None and name in _NAMED:
            given = argument(call, *_NAMED[name])
            word = model.value(given).constant if given is not None else None
            if isinstance(word, str):
                found.setdefault(word, []).append(call)
    return found


def _options(model: Answers) -> dict[str, list[cst.Call]]:
    """The calls that add options to parsers, by the attributes under which these are read."""
    return model.ask(_added_options)


def _added_options(model: Answers) -> dict[str, list[cst.Call]]:
    return added(model.everywhere(cst.Call))
