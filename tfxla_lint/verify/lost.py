"""Settings that a rewritten version still takes, and reads no more.

With the one value that a program gives them, both versions may well do the same.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Trait
from tfxla_lint.verify.trees import Function, Tree, attributes_in, defaults_of, names_read, pairs_of


@dataclass(frozen=True)
class Lost:
    """What of two versions only the original reads, though both take it.

    `attributes` are those that objects are made with, `keys` those of dicts.
    """

    old: Tree
    new: Tree

    @cached_property
    def attributes(self) -> set[str]:
        """Attributes that only say what a parameter was when an object was made."""
        before, after = (settings_of(tree) for tree in (self.old, self.new))
        read = [attributes_in(tree.module, ast.Load) for tree in (self.old, self.new)]
        return (before & after & read[0]) - read[1] - _passed_on(self.new)

    @cached_property
    def keys(self) -> set[str]:
        """Keys of dicts that are written out."""
        before, after = (_keys_read(tree.module) for tree in (self.old, self.new))
        return (before - after) & _keys_written(self.old) & _keys_written(self.new)

    def parameters(self, unit: str) -> list[str]:
        """The parameters of a function that the rewritten version takes and leaves alone."""
        both = [tree.functions.get(unit) for tree in (self.old, self.new)]
        if both[0] is None or both[1] is None:
            return []
        before, after = (_parameters(function) for function in both if function is not None)
        read = [_read(function) for function in both if function is not None]
        own = before[:1] if "." in unit else []
        lost = read[0] - read[1] - set(own)
        return [name for name in before if name in after and name in lost]

    def called(self, unit: str) -> list[str]:
        """The containers whose members, such as listeners, only the original calls, one by one."""
        function = self.old.functions.get(unit)
        if function is None:
            return []
        return sorted(set(_calling(function)) - set(_calling(self.new.module)))

    def of(self, unit: str) -> list[str]:
        """The attributes, and the dicts with keys, that a unit of the original reads."""
        function = self.old.functions.get(unit)
        if function is None:
            return []
        held = [n for n in _holders(function, self.keys) if n in self.old.bound]
        return sorted({*(self.attributes & attributes_in(function, ast.Load)), *held})


def lost_settings(trees: Sequence[tuple[Tree, Tree]]) -> dict[str, list[Any]]:
    """The keys of dicts that only the first versions of files mention, with the constants beside them."""
    before, after = ([pair[side].module for pair in trees] for side in (0, 1))
    mentioned = set().union(*map(_texts, before)) - set().union(*map(_texts, after))
    found: dict[str, list[Any]] = {}
    for node in (n for module in before for n in ast.walk(module) if isinstance(n, ast.Dict)):
        for key, value in zip(node.keys, node.values, strict=True):
            name = key.value if isinstance(key, ast.Constant) else None
            if isinstance(name, str) and name in mentioned:
                constants = [value.value] if isinstance(value, ast.Constant) else []
                found.setdefault(name, []).extend(constants)
    return found


def settings_of(tree: Tree) -> set[str]:
    """The attributes that only say what a parameter was when an object was made."""
    return set(_settings(tree))


def optional_settings(tree: Tree) -> set[str]:
    """The attributes that hold what objects are made with and need not be: nothing, or a flag."""
    found: set[str] = set()
    known = settings_of(tree)
    for function in _setting_up(tree):
        none = {
            a.arg
            for a, d in defaults_of(function)
            if isinstance(d, ast.Constant) and (d.value is None or isinstance(d.value, bool))
        }
        for node in (part for part in ast.walk(function) if isinstance(part, ast.Assign)):
            named = [t for t, v in pairs_of(node) if getattr(v, "id", "") in none]
            found |= {getattr(target, "attr", "") for target in named} & known
    return found


def _texts(module: ast.Module) -> set[str]:
    parts = (n.value for n in ast.walk(module) if isinstance(n, ast.Constant))
    return {value for value in parts if isinstance(value, str)}


def _calling(code: ast.AST) -> Iterator[str]:
    """The names of what loops go through whose members are called."""
    called = {getattr(n.func, "id", "") for n in ast.walk(code) if isinstance(n, ast.Call)}
    for node in ast.walk(code):
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
            if node.target.id in called and isinstance(node.iter, ast.Attribute):
                yield node.iter.attr


def _parameters(function: Function) -> list[str]:
    args = function.args
    return [arg.arg for arg in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def _read(function: Function) -> set[str]:
    return set().union(*(names_read(statement) for statement in function.body))


def _settings(tree: Tree) -> Iterator[str]:
    """The attributes that are bound to parameters when an object is set up, and never anew."""
    stored, set_up = _stores(tree.module), [_stores(f) for f in _setting_up(tree)]
    for number, function in enumerate(_setting_up(tree)):
        for node in (part for part in ast.walk(function) if isinstance(part, ast.Assign)):
            for target, value in pairs_of(node):
                own = getattr(target, "attr", "")
                # Other classes may be set up with what they call the same.
                others = sum(count[own] for place, count in enumerate(set_up) if place != number)
                is_only = stored[own] - others == 1
                if getattr(value, "id", "") in _parameters(function) and is_only:
                    yield own
    for cls in tree.classes.values():
        fields = (n.target for n in cls.body if isinstance(n, ast.AnnAssign))
        yield from (f.id for f in fields if isinstance(f, ast.Name) and not stored[f.id])


def _stores(code: ast.AST) -> Counter[str]:
    """How often code binds attributes, by their names."""
    return Counter(
        node.attr
        for node in ast.walk(code)
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
    )


def _passed_on(tree: Tree) -> set[str]:
    """The parameters that also go elsewhere when an object is set up."""
    found: set[str] = set()
    for function in _setting_up(tree):
        reads = (n for n in ast.walk(function) if isinstance(n, ast.Name))
        counts = Counter(name.id for name in reads if isinstance(name.ctx, ast.Load))
        found |= {name for name in _parameters(function) if counts[name] > 1}
    return found


def _setting_up(tree: Tree) -> list[Function]:
    methods = behaviour.methods(Trait.SETS_UP)
    return [f for name, f in tree.functions.items() if name.rpartition(".")[2] in methods]


def _keys_read(node: ast.AST) -> set[str]:
    """The texts that code asks a container for, or mentions otherwise than as a key of a dict."""
    written = {id(k) for d in ast.walk(node) if isinstance(d, ast.Dict) for k in d.keys}
    parts = (n for n in ast.walk(node) if isinstance(n, ast.Constant) and id(n) not in written)
    return {part.value for part in parts if isinstance(part.value, str)}


def _keys_written(tree: Tree) -> set[str]:
    dicts = (n for n in ast.walk(tree.module) if isinstance(n, ast.Dict))
    keys = (key for node in dicts for key in node.keys if isinstance(key, ast.Constant))
    return {key.value for key in keys if isinstance(key.value, str)}


def _holders(function: Function, keys: set[str]) -> Iterator[str]:
    """The names that a function asks for one of the keys."""
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            if node.slice.value in keys and isinstance(node.value, ast.Name):
                yield node.value.id
