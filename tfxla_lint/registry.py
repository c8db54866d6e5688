"""Knows the rules: what they are called, which ones a selector means, and how to load them.

The catalogue is read from the syntax of the rule files, so that nothing is imported until a rule
runs; importing one rule imports LibCST, which costs more than most runs need.
"""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import os
import re
import sys
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import MISSING, dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint import isolation
from tfxla_lint.findings import OWN_PREFIX, Applicability, Level

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from tfxla_lint.rule import Rule

ENTRY_POINT_GROUP = "tfxla_lint.rules"
SYNTAX_ERROR = "TXL001"
UNUSED_SUPPRESSION = "TXL002"
REFUTED_FIX = "TXL003"
#: No rule: under which other linters are told that a file could not be checked.
UNCHECKED = "TXL000"
#: The family whose rules are the linter's own logic and have nothing to run.
TOOL_FAMILY = "tool"
PLUGIN_FAMILY = "plugin"


class RegistryError(Exception):
    """The rules themselves are at fault: a plug-in that does not load, a code used twice."""


@dataclass(frozen=True)
class RuleInfo:
    """What is known of a rule without importing it. `page` is its documentation in Markdown.

    `origin` names the distribution, with its version, that a plug-in's rule comes from. What the
    fields after `origin` mean is said where `Rule` declares them.
    """

    code: str
    name: str
    summary: str
    family: str
    level: Level
    default: bool
    fixes: tuple[Applicability, ...]
    page: str = field(repr=False)
    module: str
    attribute: str
    origin: str = ""
    speaks_for: tuple[str, ...] = ()
    speaks_at_node_for: tuple[str, ...] = ()
    withholds_others: bool = False
    quiet_in_tests: bool = False
    needs_measurement: bool = False
    variant: str = ""
    gathered: str = ""
    is_of_project: bool = False
    reports_steps: str = ""
    needs: tuple[str, ...] = ()

    @property
    def is_of_code(self) -> bool:
        """Whether it is one of ours and speaks of users' code, not of the tool's own work."""
        return self.family not in (TOOL_FAMILY, PLUGIN_FAMILY)

    def as_json(self) -> dict[str, Any]:
        """What `rule --output-format json` prints of it."""
        return {
            "code": self.code,
            "name": self.name,
            "summary": self.summary,
            "family": self.family,
            "level": self.level.value,
            "default": self.default,
            "fixes": [kind.value for kind in self.fixes],
            "page": self.page,
        }


#: Fields of a rule that are plain Python literals and may be left out.
STANDING = tuple(
    part.name for part in fields(RuleInfo) if part.default is not MISSING and part.name != "origin"
)


@dataclass(frozen=True)
class Selection:
    """Which rules one source of settings names; `select` is None where it leaves them alone."""

    select: Sequence[str] | None = None
    extend_select: Sequence[str] = ()
    ignore: Sequence[str] = ()


class Catalogue:
    """All rules, sorted by code."""

    def __init__(self, rules: Iterable[RuleInfo]) -> None:
        self.rules = tuple(sorted(rules, key=lambda rule: rule.code))
        self.by_code = {rule.code: rule for rule in self.rules}
        self.codes = frozenset(self.by_code)
        self._selectors = _selectors(self.rules)

    @property
    def defaults(self) -> frozenset[str]:
        """The codes that run where nothing selects."""
        return frozenset(rule.code for rule in self.rules if rule.default)

    @property
    def for_xla(self) -> tuple[str, ...]:
        """The codes of the rules whose fixes have XLA compile what that is measured to speed up."""
        return tuple(rule.code for rule in self.rules if rule.variant == "xla")

    def find(self, word: str) -> RuleInfo | None:
        """The rule with this code or name."""
        codes = self.expand(word)
        if codes is None or len(codes) != 1:
            return None
        rule = self.by_code[next(iter(codes))]
        return rule if word.lower() in (rule.code.lower(), rule.name) else None

    def expand(self, selector: str) -> frozenset[str] | None:
        """The codes that a selector means (a code, a prefix, a name, a family, ALL), or None."""
        found = self._selectors.get(selector.strip().lower())
        return None if found is None else found.codes

    def nearest(self, selector: str) -> str | None:
        """The valid selector that looks most like an unknown one."""
        import difflib

        word = selector.strip().lower().replace("_", "-")
        longest = max(len(code) for code in self.codes)
        words = [
            key
            for key, selector in self._selectors.items()
            if selector.is_whole_word or len(word) < longest
        ]
        near = difflib.get_close_matches(word, words, 1, 0.6)
        return self._selectors[near[0]].written if near else None

    def select(self, layers: Sequence[Selection], start: frozenset[str]) -> frozenset[str]:
        """The codes that are on after all layers, the weakest first, beginning with `start`.

        A layer that selects starts afresh. Within a layer the more exact selector wins, and of
        equals `ignore`. What is not in `start` is turned on by its own code or name, or by ALL,
        never by a prefix or a family.
        """
        chosen = set(start)
        for layer in layers:
            if layer.select is not None:
                chosen.clear()
            self._apply(layer, chosen, start)
        return frozenset(chosen)

    def _apply(self, layer: Selection, chosen: set[str], start: frozenset[str]) -> None:
        adding = [(word, False) for word in (*(layer.select or ()), *layer.extend_select)]
        removing = [(word, True) for word in layer.ignore]
        steps = [(self._selectors[word.strip().lower()], off) for word, off in adding + removing]
        for selector, off in sorted(steps, key=lambda step: (step[0].exactness, step[1])):
            if off:
                chosen -= selector.codes
            elif selector.exactness in (_ALL, _EXACT):
                chosen |= selector.codes
            else:
                chosen |= selector.codes & start


@dataclass
class _Selector:
    """What a selector means, how exact it is, and how it is usually written."""

    written: str
    exactness: int
    codes: frozenset[str] = frozenset()

    @property
    def is_whole_word(self) -> bool:
        """Whether it is more than the beginning of a code."""
        return self.exactness == _EXACT or not self.written.isupper()


_ALL, _EXACT = 0, 99


def _selectors(rules: Sequence[RuleInfo]) -> dict[str, _Selector]:
    """Every valid selector, by its lower-case form."""
    found = {"all": _Selector("ALL", _ALL, frozenset(rule.code for rule in rules))}
    for rule in rules:
        letters = len(rule.code.rstrip("0123456789"))
        words = {rule.code[:end]: end for end in range(letters, len(rule.code))}
        words |= {rule.family: letters + 1, rule.name: _EXACT, rule.code: _EXACT}
        for word, exactness in words.items():
            selector = found.setdefault(word.lower(), _Selector(word, exactness))
            selector.codes |= {rule.code}
    return found


def read_catalogue() -> Catalogue:
    """The catalogue of the built-in rules and of every installed plug-in.

    It is read once. Raises RegistryError.
    """
    return _adopted[0] if _adopted else _read_catalogue()


#: The catalogue that was read before, where that is known.
_adopted: list[Catalogue] = []


def adopt(catalogue: Catalogue) -> None:
    """Take a catalogue for the one that would be read."""
    _adopted[:] = [catalogue]


@functools.lru_cache(maxsize=1)
def _read_catalogue() -> Catalogue:
    rules = [*_built_in_rules(), *_plugin_rules()]
    seen: dict[str, RuleInfo] = {}
    for rule in rules:
        for word in (rule.code, rule.name):
            if word in seen:
                raise RegistryError(
                    f"'{word}' is the name of two rules: {seen[word].module} and {rule.module}"
                )
            seen[word] = rule
    for word, selector in _selectors(rules).items():
        named = next((seen[code] for code in selector.codes if seen[code].name == word), None)
        if named is not None and selector.exactness != _EXACT:
            raise RegistryError(f"'{word}' is the name of {named.module}, and means other rules")
    return Catalogue(rules)


def load_rule(info: RuleInfo) -> Rule:
    """An instance of the rule that `info` describes."""
    rule = getattr(importlib.import_module(info.module), info.attribute)
    instance: Rule = rule()
    return instance


def rule_folders() -> list[str]:
    """Where the built-in rules lie."""
    return list(importlib.import_module("tfxla_lint.rules").__path__)


def _built_in_rules() -> Iterator[RuleInfo]:
    for folder in rule_folders():
        for path in sorted(Path(folder).glob("*/*.py")):
            if path.stem != "__init__":
                yield from _rules_of_file(path, path.parent.name, path.stem)
        for path in sorted(Path(folder).glob("*/*/rule.py")):
            family, stem = path.parts[-3:-1]
            yield from _rules_of_file(path, family, f"{stem}.rule")


def _rules_of_file(path: Path, family: str, name: str) -> Iterator[RuleInfo]:
    module = f"tfxla_lint.rules.{family}.{name}"
    tree = ast.parse(path.read_text("utf-8"), str(path))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            values = dict(_assignments(node))
            if "code" in values:
                yield _declared(node, values, module, family) or info_of(
                    getattr(importlib.import_module(module), node.name), family
                )


def _assignments(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for statement in node.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
            yield statement.targets[0].id, statement.value
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            if statement.value is not None:
                yield statement.target.id, statement.value


def _declared(
    node: ast.ClassDef, values: Mapping[str, ast.expr], module: str, family: str
) -> RuleInfo | None:
    """The rule as its class body spells it, or None where a field is not spelt out."""
    try:
        code, name, summary = (_literal(values[key]) for key in ("code", "name", "summary"))
        level = _member(values["level"], Level) if "level" in values else Level.WARNING
        default = bool(_literal(values["default"])) if "default" in values else True
        fixes = _members(values["fixes"]) if "fixes" in values else ()
        standing = {key: _literal(values[key]) for key in STANDING if key in values}
    except (KeyError, ValueError):
        return None
    page = ast.get_docstring(node) or ""
    return RuleInfo(
        code, name, summary, family, level, default, fixes, page, module, node.name, **standing
    )


def _literal(node: ast.expr) -> Any:
    return ast.literal_eval(node)


def _member(node: ast.expr, enum: type[Any]) -> Any:
    """The member of `enum` that an expression such as `Level.NOTE` names."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.value.id == enum.__name__:
            return enum[node.attr]
    raise ValueError("not a member of an enumeration")


def _members(node: ast.expr) -> tuple[Applicability, ...]:
    if not isinstance(node, ast.Tuple):
        raise ValueError("not a tuple")
    return tuple(_member(item, Applicability) for item in node.elts)


def info_of(rule: type[Rule], family: str) -> RuleInfo:
    """What a rule's class says of it, once it is imported."""
    return RuleInfo(
        rule.code,
        rule.name,
        rule.summary,
        family,
        rule.level,
        rule.default,
        tuple(rule.fixes),
        inspect.cleandoc(rule.__doc__ or ""),
        rule.__module__,
        rule.__qualname__,
        **{key: getattr(rule, key) for key in STANDING},
    )


def _load(point: EntryPoint) -> Any:
    """What an entry point names, also where its package is installed to be edited."""
    before = list(sys.path)
    isolation.isolate()
    try:
        return point.load()
    except ModuleNotFoundError as error:
        package = point.module.partition(".")[0]
        if error.name != package or not isolation.reach(package):
            raise
        return point.load()
    finally:
        sys.path[:] = [*before, *(entry for entry in sys.path if entry not in before)]


def _may_have_rules(folder: str) -> bool:
    """Whether a package that is installed in a folder has rules, or nobody can say so at once."""
    try:
        names = os.listdir(folder)
    except OSError:
        return os.path.isfile(folder)
    for name in names:
        if name.endswith((".dist-info", ".egg-info")):
            place = os.path.join(folder, name, "entry_points.txt")
            with suppress(OSError), open(place, encoding="utf-8", errors="replace") as file:
                if f"[{ENTRY_POINT_GROUP}]" in file.read():
                    return True
        elif name.endswith(".egg"):
            return True
    return False


def _plugins() -> Iterator[tuple[EntryPoint, str]]:
    """The entry points for rules of installed packages, with the name and version of each package.

    What only lies in the folder that is linted, or is found by PYTHONPATH there, is not installed.
    """
    # To read what every package says of itself takes longer than to lint a file.
    if not any(map(_may_have_rules, isolation.trusted_path())):
        return
    from importlib.metadata import distributions

    seen: set[str] = set()
    for distribution in distributions(path=isolation.trusted_path()):
        name = distribution.metadata["Name"]
        if name not in seen:
            seen.add(name)
            for point in distribution.entry_points:
                if point.group == ENTRY_POINT_GROUP:
                    yield point, f"{name} {distribution.version}"


def _plugin_rules() -> Iterator[RuleInfo]:
    """The rules of other packages: each entry point names a rule class or a sequence of them."""
    for point, origin in _plugins():
        try:
            try:
                loaded = _load(point)
            except SystemExit as error:
                raise ImportError("it ends the process") from error
            rules = [loaded] if isinstance(loaded, type) else list(loaded)
            _check_fields(rules)
            infos = [replace(info_of(rule, PLUGIN_FAMILY), origin=origin) for rule in rules]
        except Exception as error:
            kind = type(error).__name__
            message = f"the rules of the plug-in '{point.value}' do not load: {kind}: {error}"
            raise RegistryError(message) from error
        for info in infos:
            if re.fullmatch(r"[A-Z]{2,}[0-9]{3}", info.code) is None:
                what = f"the plug-in '{point.value}' has the code '{info.code}'"
                raise RegistryError(f"{what}: codes are capital letters and three digits")
            if info.code.startswith(OWN_PREFIX):
                raise RegistryError(f"the plug-in '{point.value}' uses our prefix in {info.code}")
            yield info


def _check_fields(rules: Iterable[type[Rule]]) -> None:
    """Raise TypeError where a field of a rule's class is not of the type that `Rule` says."""
    from tfxla_lint.rule import Rule

    hints = typing.get_type_hints(Rule)
    for rule in rules:
        if not (isinstance(rule, type) and issubclass(rule, Rule)):
            raise TypeError(f"{rule!r} is no rule")
        for name, hint in hints.items():
            (expected,) = typing.get_args(hint)
            given = getattr(rule, name, None)
            if not _is_of(given, expected):
                what = f"{rule.__qualname__}.{name} is {given!r}"
                raise TypeError(f"{what}, and is to be {expected}")


def _is_of(value: object, hint: Any) -> bool:
    """Whether a value is of the type of one of the fields of `Rule`."""
    inner = typing.get_args(hint)
    if typing.get_origin(hint) is tuple:
        return isinstance(value, tuple) and all(_is_of(part, inner[0]) for part in value)
    return value in inner if inner else isinstance(value, hint)
