"""Options of a program's command line: those that changed code reads, with other values for them.

A run without arguments shows nothing of what an option does that is off, nor that it is lost.
"""

from __future__ import annotations

import ast
import itertools
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property

from tfxla_lint.knowledge import behaviour
from tfxla_lint.verify.inside import nested
from tfxla_lint.verify.trees import Tree

_NAMED, _DEFAULT = behaviour.places("setting"), behaviour.places("default")
#: By type: what is said instead of nothing, at first and if that shows nothing.
_INSTEAD = {"float": (0.1, 2.0), "int": (1, 2)}
_TEXT = "given"
_WAYS, _ALONE = 2, 3
#: A share is so much smaller to be a bound that all comes to.
_SMALL = 0.01


@dataclass(frozen=True)
class Switch:
    """An option: what code calls it, and what may stand on the command line for it, by ways."""

    name: str
    words: tuple[tuple[str, ...], ...]
    #: Whether it says nothing where it is left out.
    is_off: bool
    #: Whether it is a number with a fraction.
    is_share: bool = False
    #: Whether it is a text, such as a file to write, of which nobody says what it may be.
    is_text: bool = False


class Switches:
    """The options that the original's program reads, and what the rewritten version does of that."""

    def __init__(self, old: Tree, new: Tree) -> None:
        self._old = old
        self._reads = [_reads(tree.module) for tree in (old, new)]

    @cached_property
    def _all(self) -> list[Switch]:
        found = {s.name: s for s in _switches(self._old.module) if self._reads[0][s.name]}
        leaving = set(_leaving(self._old.module))
        return [s for s in found.values() if s.name not in leaving]

    @property
    def fewer(self) -> set[str]:
        """Those that the rewritten version reads in fewer places."""
        before, after = self._reads
        return {s.name for s in self._all if after[s.name] < before[s.name]}

    @property
    def more(self) -> set[str]:
        """Those that the rewritten version reads in more places."""
        before, after = self._reads
        return {s.name for s in self._all if after[s.name] > before[s.name]}

    def off(self, code: ast.AST) -> set[str]:
        """Those that say nothing where they are left out, and that some code reads."""
        reads = _reads(code)
        return {s.name for s in self._all if s.is_off and not s.is_text and s.name in reads}

    @property
    def lost(self) -> set[str]:
        """Those that it reads nowhere any more."""
        return {name for name in self.fewer if not self._reads[1][name]}

    def ways(self) -> Iterator[tuple[set[str], tuple[str, ...]]]:
        """Which options are other than they are without arguments, and how that is said.

        Those that are off are turned on, all at once, and those that are read in fewer places are
        changed; then in another way. A file that is to be written is named alone: it may be to be read.
        """
        for way in range(_WAYS):
            rows = [(s.name, s.words[min(way, len(s.words) - 1)]) for s in self._asked]
            if rows and (not way or any(len(s.words) > 1 for s in self._asked)):
                yield self._said(rows)
        others = [s for s in self._all if s.is_share and s not in self._asked]
        if others:
            yield self._said([(s.name, s.words[0]) for s in others])
        texts = [s for s in self._all if s.is_text]
        yield from (self._said([(s.name, s.words[0])]) for s in texts[:_ALONE])
        yield from ((set(), (command,)) for command in self._commands[1:])

    def bounding(self, names: Collection[str]) -> Iterator[tuple[set[str], tuple[str, ...]]]:
        """The shares among some options nearly nothing, so that what they bound comes to them."""
        rows = [(s.name, s.words[-1]) for s in self._all if s.is_share and s.name in names]
        if rows:
            yield self._said(rows)

    def alone(self) -> Iterator[tuple[set[str], tuple[str, ...]]]:
        """The same with one option at a time, a few of them: those that are lost first."""
        asked = sorted(self._asked, key=lambda s: (s.name not in self.lost, not s.is_off))
        yield from (self._said([(s.name, s.words[0])]) for s in asked[:_ALONE])

    def _said(self, rows: list[tuple[str, tuple[str, ...]]]) -> tuple[set[str], tuple[str, ...]]:
        """Options as they are said: behind the first of the commands that a program takes."""
        words = itertools.chain(*(words for _, words in rows))
        return {name for name, _ in rows}, (*self._commands[:1], *words)

    @cached_property
    def _commands(self) -> list[str]:
        """The commands that a program takes, a few of them."""
        calls = (n for n in ast.walk(self._old.module) if isinstance(n, ast.Call) and n.args)
        made = [c for c in calls if getattr(c.func, "attr", "") == "add_parser"]
        return [str(name) for name in map(_constant, (c.args[0] for c in made)) if name][:_ALONE]

    @property
    def _asked(self) -> list[Switch]:
        known = (s for s in self._all if not s.is_text)
        return [s for s in known if s.is_off or s.name in self.fewer | self.more]


def _reads(module: ast.AST) -> Counter[str]:
    """How often attributes are read, by their names."""
    parts = (n for n in ast.walk(module) if isinstance(n, ast.Attribute))
    return Counter(part.attr for part in parts if isinstance(part.ctx, ast.Load))


def _switches(module: ast.AST) -> Iterator[Switch]:
    for call in (node for node in ast.walk(module) if isinstance(node, ast.Call)):
        given = {k.arg: k.value for k in call.keywords if k.arg}
        last = getattr(call.func, "attr", getattr(call.func, "id", ""))
        if last == "add_argument":
            yield from _of_parser(call, given)
        elif any(name.rpartition(".")[2] == last for name in _NAMED):
            yield from _of_flags(call, given, last)


def _of_parser(call: ast.Call, given: dict[str, ast.expr]) -> Iterator[Switch]:
    """An option that is added to a parser."""
    spelled = [str(text) for text in map(_constant, call.args) if isinstance(text, str)]
    long = next((text for text in spelled if text.startswith("--")), "")
    if not long or _constant(given.get("required")) or _constant(given.get("nargs")) is not None:
        return
    name = str(_constant(given.get("dest")) or long[2:].replace("-", "_"))
    action = _constant(given.get("action"))
    if isinstance(action, str):
        if action in ("store_true", "store_false"):
            yield Switch(name, ((long,),), True)
        return
    default = _constant(given.get("default"))
    is_plain = "type" not in given and default is None and "default" not in given
    kind = str.__name__ if is_plain else getattr(given.get("type"), "id", "")
    others = _others(default, kind, given.get("choices"))
    if others:
        is_off = not default or "choices" in given
        words = tuple((long, value) for value in others)
        is_text = "choices" not in given and others == [_TEXT]
        yield Switch(name, words, is_off, isinstance(default, float), is_text)


def _of_flags(call: ast.Call, given: dict[str, ast.expr], last: str) -> Iterator[Switch]:
    """A flag of absl."""
    home = next(name for name in _NAMED if name.rpartition(".")[2] == last)
    if home not in _DEFAULT:
        return
    (_, place), (word, at) = _NAMED[home], _DEFAULT[home]
    values = [_constant(value) for value in call.args]
    name = values[place] if place < len(values) else None
    default = values[at] if at < len(values) else _constant(given.get(word))
    if not isinstance(name, str):
        return
    if isinstance(default, bool):
        yield Switch(name, ((f"--{'no' if default else ''}{name}",),), True)
        return
    said = last.rpartition("_")[2]
    kind = next((k.__name__ for k in (int, float, str) if said.startswith(k.__name__)), "")
    listed = given.get("enum_values") or (call.args[2] if len(call.args) > 3 else None)
    others = _others(default, kind, listed)
    if others:
        is_listed = isinstance(listed, (ast.List, ast.Tuple))
        words = tuple((f"--{name}={value}",) for value in others)
        is_text = not is_listed and others == [_TEXT]
        yield Switch(name, words, not default or is_listed, is_text=is_text)


def _others(default: object, kind: str, choices: ast.expr | None) -> list[str]:
    """Other values, as they are written on a command line."""
    if isinstance(choices, (ast.List, ast.Tuple)):
        listed = [_constant(part) for part in choices.elts]
        return [str(value) for value in listed if value not in (None, default)]
    if not default:
        kind = kind or type(default).__name__
        return [_TEXT] if kind == str.__name__ else [str(v) for v in _INSTEAD.get(kind, ())]
    if isinstance(default, float):
        return [str(default / 2), str(default * 2), str(default * _SMALL)]
    if isinstance(default, int):
        return [str(default + 1), str(max(1, default // 2))]
    return []


def _constant(node: ast.expr | None) -> object:
    return node.value if isinstance(node, ast.Constant) else None


def _leaving(module: ast.AST) -> Iterator[str]:
    """The options that decide whether the rest of a function or the program is run at all."""
    for node in (part for part in ast.walk(module) if isinstance(part, ast.If)):
        if any(map(_ends, nested(node.body))):
            yield from _reads(node.test)


def _ends(statement: ast.stmt) -> bool:
    value = getattr(statement, "value", None)
    if isinstance(statement, ast.Return):
        return value is None or isinstance(value, ast.Constant)
    is_exit = isinstance(value, ast.Call) and getattr(value.func, "attr", "") == "exit"
    return isinstance(statement, ast.Raise) or is_exit
