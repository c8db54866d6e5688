"""The versions of TensorFlow with which a program goes on: what it says itself of the one that it has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import libcst as cst

from tfxla_lint.knowledge import tables
from tfxla_lint.knowledge.tables import Version
from tfxla_lint.semantics.answers import Answers
from tfxla_lint.semantics.behind import bound, parts_behind
from tfxla_lint.semantics.supposed import Supposed, outcome
from tfxla_lint.semantics.syntax import walk
from tfxla_lint.semantics.values import UNKNOWN, Value, of_constant

if TYPE_CHECKING:
    from tfxla_lint.semantics.world import Module, World

_OWN = re.compile(r"tensorflow\.(__version__|version\.VERSION)")
_HINT = re.compile(r"__version__|VERSION|version\(")
_RELEASE = re.compile(r"(\d{1,4})\.(\d{1,4})(?!\d)[\w.]*")
#: What makes a text a version that can be compared.
_COMPARABLE = re.compile(r"version.*\.(parse\w*|\w*Version)$")
#: The most characters of one.
_LONGEST = 400
_ENDING = re.compile(r".*\.(_?exit|quit)")


def said_versions(world: World) -> tuple[Version, ...]:
    """The versions of TensorFlow 2 with which some module goes on that asks for the version, in order.

    None at all where no module asks.
    """
    said = {version for module in world.modules for version in world.ask(said_by, module)}
    return tuple(sorted(said))


def said_by(world: World, module: Module) -> tuple[Version, ...]:
    """The versions that all tests of a module let pass on which the program ends, in order: those
    for which that is open, too."""
    if not _HINT.search(module.source.text):
        return ()
    tests = [(test, goes) for test, goes in _decisive(world, module) if _asks(world, test)]
    if not tests:
        return ()
    newest = tables.newest()
    releases = {f"{newest[0]}.{minor}.0" for minor in range(newest[1] + 1)}
    for part in (part for test, _ in tests for part in parts_behind(world, test)):
        if isinstance(part, cst.SimpleString) and _RELEASE.fullmatch(_text(part)):
            releases.add(_text(part))
    passed = {
        _parsed(release)
        for release in releases
        if all(outcome(test, _with(world, release)) in (goes, None) for test, goes in tests)
    }
    return tuple(sorted(version for version in passed if version[0] == newest[0]))


def _decisive(world: World, module: Module) -> Iterator[tuple[cst.BaseExpression, bool]]:
    """Tests on which the program ends, with what they have to give for it to go on."""
    binder = world.binder_of(module)
    for check in binder.nodes(cst.Assert):
        yield check.test, True
    for branch in binder.nodes(cst.If):
        if _ends(world, branch.body):
            yield branch.test, False
        elif isinstance(branch.orelse, cst.Else) and _ends(world, branch.orelse.body):
            yield branch.test, True


def _ends(model: Answers, block: cst.BaseSuite) -> bool:
    last = block.body[-1] if block.body else None
    is_simple = isinstance(last, (cst.SimpleStatementLine, cst.BaseSmallStatement))
    for part in walk(last) if is_simple and last is not None else ():
        if isinstance(part, cst.Raise):
            return True
        if isinstance(part, cst.Call) and any(map(_ENDING.fullmatch, model.names.of(part.func))):
            return True
    return False


def _asks(model: Answers, test: cst.BaseExpression) -> bool:
    return any(_is_version(model, part) for part in parts_behind(model, test))


def _is_version(model: Answers, node: cst.CSTNode) -> bool:
    """Whether an expression is the version of TensorFlow: an attribute, or `version("tensorflow")`."""
    if isinstance(node, cst.Call) and len(node.args) == 1:
        given = node.args[0].value
        is_ours = isinstance(given, cst.SimpleString) and _text(given) == "tensorflow"
        return is_ours and any(name.endswith(".version") for name in model.names.of(node.func))
    return any(map(_OWN.fullmatch, model.names.of(node)))


def _with(model: Answers, release: str, passed: frozenset[int] = frozenset()) -> Supposed:
    """What expressions give under a release, as far as it is known; names that led there are `passed`."""

    def supposed(node: cst.BaseExpression) -> Value:
        if _is_version(model, node):
            return of_constant(release)
        if isinstance(node, (cst.SimpleString, cst.Integer)):
            return of_constant(node.evaluated_value)
        if isinstance(node, cst.Name):
            values = [binding.value for binding in bound(model, node)]
            value = values[0] if len(values) == 1 else None
            if value is None or id(value) in passed:
                return UNKNOWN
            return _with(model, release, passed | {id(value)})(value)
        if isinstance(node, cst.Call) and len(node.args) == 1:
            given = supposed(node.args[0].value).constant
            if isinstance(node.func, cst.Attribute) and node.func.attr.value == "startswith":
                text = supposed(node.func.value).constant
                if isinstance(text, str) and isinstance(given, str):
                    return of_constant(text.startswith(given))
            elif not isinstance(given, str) or len(given) > _LONGEST:
                return UNKNOWN
            elif any(map(_COMPARABLE.search, model.names.of(node.func))):
                return UNKNOWN._replace(constant=tuple(map(int, re.findall(r"\d+", given))))
        return UNKNOWN

    return supposed


def _text(string: cst.SimpleString) -> str:
    return str(string.evaluated_value)


def _parsed(release: str) -> Version:
    major, minor = re.findall(r"\d+", release)[:2]
    return int(major), int(minor)
