"""Keyword arguments that calls pass to TensorFlow, against what its functions take."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.knowledge.symbols import Symbol
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.semantics.guards import caught
from tfxla_lint.semantics.model import SemanticModel

from .imported import may_be_private
from .outside import OutsideCall, optimizer_call, outside_call
from .target import versions
from .version_guards import depends_on_version

_ERRORS = frozenset({"TypeError", "ValueError"})


@dataclass(frozen=True)
class RefusedArgument:
    """A keyword argument that `symbol`, as the target has it, does not take."""

    outside: OutsideCall
    argument: cst.Arg
    keyword: cst.Name
    symbol: Symbol

    @property
    def name(self) -> str:
        """The keyword."""
        return self.keyword.value

    def accepted_in(self) -> list[Version]:
        """The covered versions in which the function takes the argument."""
        found = ((v, symbols.find(self.symbol.name, v)) for v in tables.covered())
        return [v for v, symbol in found if symbol is not None and symbol.accepts(self.name)]

    def is_newer(self, target: Version | None) -> bool:
        """Whether only TensorFlow newer than the stated target takes the argument."""
        accepted = self.accepted_in()
        return target is not None and bool(accepted) and min(accepted) > target

    def passes(self, name: str) -> bool:
        """Whether the call passes the parameter `name` too, by keyword or by position."""
        given = [a for a in self.outside.arguments if a.keyword is None and not a.star]
        ordinary = [p.name for p in self.symbol.params or () if p.kind == "ordinary"]
        words = {a.keyword.value for a in self.outside.arguments if a.keyword is not None}
        return name in words or name in ordinary[: len(given)]


def refused_arguments(
    model: SemanticModel, target: Version | None = None
) -> Iterator[RefusedArgument]:
    """Every keyword argument that the target's TensorFlow is known to refuse."""
    for call in model.nodes(cst.Call):
        if all(argument.keyword is None for argument in call.args):
            continue
        outside = outside_call(model, call) or optimizer_call(model, call)
        if outside is None or any(may_be_private(model, name, call.func) for name in outside.names):
            continue
        refused = [r for a in outside.arguments for r in _refused(model, outside, a, target)]
        if refused and not is_prepared(model, call):
            yield from refused


def _refused(
    model: SemanticModel, outside: OutsideCall, argument: cst.Arg, target: Version | None
) -> Iterator[RefusedArgument]:
    if argument.keyword is None:
        return
    found: list[Symbol] = []
    for name in outside.names:
        for version in versions(model, name, target):
            symbol = symbols.find(name, version)
            if symbol is None or symbol.accepts(argument.keyword.value) is not False:
                return
            found.append(symbol)
    refused = RefusedArgument(outside, argument, argument.keyword, found[0])
    if not (outside.is_general and refused.accepted_in()):
        yield refused


def is_prepared(model: SemanticModel, call: cst.Call, instead: str | None = None) -> bool:
    """Whether code copes with a call that is refused, or runs it under some versions only: other
    ones have the argument `instead` then."""
    return caught(model, call, _ERRORS) or depends_on_version(model, call, instead)
