"""What a function reads from outside that other code of its module may change between two calls.

A trace keeps what it read: that a version computes the same shows only where something else stands
there when it is called again.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from tfxla_lint.knowledge import behaviour
from tfxla_lint.knowledge.behaviour import Effect, Runs, Trait
from tfxla_lint.verify.lost import optional_settings, settings_of
from tfxla_lint.verify.trees import FUNCTIONS, Function, Tree, attributes_in, bound_names

#: So many constants are tried in the place of others.
_WORDS = 12


@dataclass(frozen=True)
class Outside:
    """What a unit reads that other code may change.

    `names` are globals, `attributes` those of any object; `enclosed` are local names of the function
    that functions which it gives away share. `words` are constants that mean something of their own.
    `settable` are attributes for options that may be left out: no code of the module changes them, but
    who uses the object may.
    """

    names: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    enclosed: tuple[str, ...] = ()
    words: tuple[str | int | float, ...] = ()
    settable: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All the names."""
        return (*self.names, *self.attributes, *self.enclosed)

    def as_json(self) -> dict[str, Any]:
        """What the worker is told."""
        return {
            "names": self.names,
            "attributes": (*self.attributes, *self.settable),
            "settable": self.settable,
            "words": self.words,
        }


@dataclass
class _Changes:
    """The globals and attributes that some code binds anew, or changes the objects of."""

    names: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    #: The attributes that are bound anew, by what the object is called.
    of: dict[str, set[str]] = field(default_factory=dict)


def outside_of(tree: Tree, unit: str, in_traces: bool = False) -> Outside:
    """What a function, with what it calls in its module, reads that other code may change.

    With `in_traces` that is not what a function reads which the program starts with, but for functions in it.
    """
    if unit not in tree.functions:
        return Outside()
    reached = _reached(tree, unit)
    own, others = _Changes(), _Changes()
    names: set[str] = set()
    attributes: set[str] = set()
    settled = {id(node) for s in _settled(tree, unit) for node in _now(s)}
    setting_up = _setting_up(tree) | _called_before(tree, settled)
    for name, function in tree.functions.items():
        if name in reached:
            _note(function, function, own)
            bound = _locals(function) | _of_scopes_in(function)
            is_entry = in_traces and name == unit and _is_entry(tree, function)
            for code in _functions_in(function) if is_entry else [function]:
                names |= _read_by(code) - bound
                attributes |= attributes_in(code, ast.Load)
        elif name not in setting_up:
            _note(function, function, others, settled)
    for statement in tree.statements:
        found = _Changes()
        if not statement.is_definition:
            _note(statement.node, None, found, settled)
            others.attributes |= found.attributes
            for owner, stored in found.of.items():
                others.of.setdefault(owner, set()).update(stored)
        if isinstance(statement.node, (ast.For, ast.While)) or statement.is_main_guard:
            others.names |= found.names
    # What a library's object does with its attributes is not seen.
    attributes |= {a for owner, s in others.of.items() if owner in names | attributes for a in s}
    methods = {name.rpartition(".")[2] for name in tree.functions}
    # What is called on a module changes no object of it.
    bound = tree.bound - tree.modules
    changed = (others.attributes - own.attributes - methods) & attributes
    return Outside(
        tuple(sorted((others.names - own.names) & names & bound)),
        tuple(sorted(changed)),
        tuple(sorted(_enclosed(tree.functions[unit]))),
        tuple(_words(tree)),
        tuple(sorted((optional_settings(tree) & attributes) - changed)),
    )


def _is_entry(tree: Tree, function: Function) -> bool:
    """Whether a function is named once, where the module itself calls it, in no loop."""
    named = Counter(_names_in(ast.walk(tree.module)))[function.name]
    own = [s.node for s in tree.statements if not s.is_definition]
    own = [s for s in own if not any(isinstance(n, (ast.For, ast.While)) for n in ast.walk(s))]
    is_called = any(_calls_once(s, function.name) for s in own)
    return named == 1 and is_called and not function.decorator_list


def _functions_in(function: Function) -> list[ast.AST]:
    kinds = (*FUNCTIONS, ast.Lambda)
    return [n for n in ast.walk(function) if isinstance(n, kinds) and n is not function]


def dropped(old: Tree, new: Tree, unit: str) -> set[str]:
    """The attributes that objects are set up with, and that a function comes to read in the first version alone."""
    if unit not in old.functions or unit not in new.functions:
        return set()
    made = _setting_up(old)
    reads = [
        {a for n in _reached(tree, unit) for a in attributes_in(tree.functions[n], ast.Load)}
        for tree in (old, new)
    ]
    stored = {a for n in made for a in attributes_in(old.functions[n], ast.Store)}
    # What only says what a parameter was, such as a size, has to go with the rest.
    return (reads[0] - reads[1]) & stored - settings_of(old)


def is_traced_more(old: Tree, new: Tree) -> bool:
    """Whether a version asks for traces in more places than the original does."""
    return _traces(new) > _traces(old)


def _traces(tree: Tree) -> int:
    asking = {name.rpartition(".")[2] for name in behaviour.names(Runs.TRACED)}
    asking |= behaviour.methods(Runs.TRACED) | {"function"}
    nodes = (node for node in ast.walk(tree.module) if isinstance(node, (ast.Attribute, ast.Name)))
    return sum((n.attr if isinstance(n, ast.Attribute) else n.id) in asking for n in nodes)


def _reached(tree: Tree, unit: str) -> set[str]:
    """The functions of the module that a function comes to, by their names."""
    by_short: dict[str, list[str]] = {}
    for name in tree.functions:
        by_short.setdefault(name.rpartition(".")[2], []).append(name)
    found, pending = {unit}, [unit]
    while pending:
        for node in ast.walk(tree.functions[pending.pop()]):
            short = getattr(node, "attr", getattr(node, "id", ""))
            if isinstance(node, (ast.Attribute, ast.Name)) and short in by_short:
                # A plain name means no method.
                is_plain = isinstance(node, ast.Name)
                new = {n for n in by_short[short] if not (is_plain and "." in n)} - found
                found |= new
                pending += new
    return found


def _setting_up(tree: Tree) -> set[str]:
    """The methods that set an object up, and those that only these call."""
    own = behaviour.methods(Trait.SETS_UP)
    found = {name for name in tree.functions if name.rpartition(".")[2] in own}
    called = {a for name in found for a in attributes_in(tree.functions[name], ast.Load)}
    others = (f for name, f in tree.functions.items() if name not in found)
    called -= {a for f in others for a in attributes_in(f, ast.Load)}
    for statement in tree.statements:
        if not statement.is_definition:
            called -= attributes_in(statement.node, ast.Load)
    return found | {n for n in tree.functions if "." in n and n.rpartition(".")[2] in called}


def _settled(tree: Tree, unit: str) -> list[ast.stmt]:
    """The statements that run once, before anything may come to call a function.

    What they bind or change is settled when the function is called. There are none where the module calls the
    function nowhere, or where nothing that names it may do so. A function that is named once, where it is
    called, is gone through likewise.
    """
    calling, size = {unit.rpartition(".")[2]}, 0
    while size != len(calling):
        size = len(calling)
        calling |= {
            name.rpartition(".")[2] for name, f in tree.functions.items() if calling & _mentioned(f)
        }
    if any(name.startswith("__") for name in calling):
        return []
    named = Counter(_names_in(ast.walk(tree.module)))
    found: list[ast.stmt] = []
    block = [s.node for s in tree.statements if not s.is_definition]
    guards = {id(s.node) for s in tree.statements if s.is_main_guard}
    while True:
        place = next((n for n, s in enumerate(block) if calling & _mentioned(s)), None)
        if place is None:
            return found
        found += block[:place]
        first = block[place]
        called = calling & _mentioned(first)
        entry = tree.functions.get(next(iter(called))) if len(called) == 1 else None
        if id(first) in guards or isinstance(first, ast.With):
            block = first.body  # type: ignore[attr-defined]
        elif isinstance(first, (ast.Expr, ast.Assign, ast.Return)) and entry is not None:
            if entry.name == unit or named[entry.name] != 1 or not _calls_once(first, entry.name):
                return found
            block = entry.body
        else:
            return found


def _calls_once(statement: ast.stmt, name: str) -> bool:
    """Whether a statement calls a function by its name, and in no function or loop within it."""
    if any(isinstance(n, (ast.comprehension, ast.Lambda)) for n in ast.walk(statement)):
        return False
    calls = [n.func for n in ast.walk(statement) if isinstance(n, ast.Call)]
    return sum(isinstance(f, ast.Name) and f.id == name for f in calls) == 1


def _now(statement: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a statement that run with it: not those of functions that it makes."""
    yield statement
    if not isinstance(statement, (*FUNCTIONS, ast.Lambda)):
        for part in ast.iter_child_nodes(statement):
            yield from _now(part)


def _called_before(tree: Tree, settled: Collection[int]) -> set[str]:
    """The functions that only code names which runs before, and calls."""
    nodes = list(ast.walk(tree.module))
    calls = {id(n.func) for n in nodes if isinstance(n, ast.Call)}
    before = set(_names_in(n for n in nodes if id(n) in settled and id(n) in calls))
    later = set(_names_in(n for n in nodes if id(n) not in settled or id(n) not in calls))
    return {name for name in tree.functions if name.rpartition(".")[2] in before - later}


def _names_in(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
            yield node.id if isinstance(node, ast.Name) else node.attr


def _mentioned(node: ast.AST) -> set[str]:
    """The names and attributes that code reads."""
    return set(_names_in(ast.walk(node)))


def _note(
    code: ast.AST,
    function: Function | None,
    found: _Changes,
    settled: Collection[int] = frozenset(),
) -> None:
    """Note what code changes; names that are a function's own are not those of the module.

    What nodes do that are `settled` is left out.
    """
    shared = {n for p in ast.walk(code) if isinstance(p, ast.Global) for n in p.names}
    own = _locals(function) - shared if function is not None else set()
    mutating = behaviour.methods(Effect.MUTATES)
    for node in (part for part in ast.walk(code) if id(part) not in settled):
        changed: list[ast.expr] = []
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            changed = [node.func.value] if node.func.attr in mutating else []
        elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed = [node.value]
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            found.attributes.add(node.attr)
            owner = getattr(node.value, "attr", getattr(node.value, "id", ""))
            found.of.setdefault(owner, set()).add(node.attr)
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            changed = [node] if function is None or node.id in shared else []
        for value in changed:
            if isinstance(value, ast.Attribute):
                found.attributes.add(value.attr)
            elif isinstance(value, ast.Name) and value.id not in own:
                found.names.add(value.id)


def _enclosed(function: Function) -> Iterator[str]:
    """The local names that a function which it gives away reads and another one changes."""
    inner = {n.name: n for n in ast.walk(function) if isinstance(n, FUNCTIONS) and n != function}
    called = {id(n.func) for n in ast.walk(function) if isinstance(n, ast.Call)}
    given = [
        inner[n.id]
        for n in ast.walk(function)
        if isinstance(n, ast.Name) and n.id in inner and id(n) not in called
    ]
    changed = {id(f): _Changes() for f in given}
    for f in given:
        _note(f, f, changed[id(f)])
        shared = {n for p in ast.walk(f) if isinstance(p, ast.Nonlocal) for n in p.names}
        changed[id(f)].names |= shared
    for f in given:
        others = set().union(*(changed[id(g)].names for g in given if g is not f))
        read = (_read_by(f) - _locals(f)) | changed[id(f)].names
        yield from (others - changed[id(f)].names) & read & _locals(function)


def _read_by(code: ast.AST) -> set[str]:
    """The names that code reads, but for those that functions in it bind for themselves."""
    found: set[str] = set()
    pending = [*ast.iter_child_nodes(code)]
    for part in pending:
        if isinstance(part, FUNCTIONS):
            outer = {n for p in ast.walk(part) if isinstance(p, ast.Nonlocal) for n in p.names}
            found |= _read_by(part) - (_locals(part) - outer)
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            found.add(part.id)
        pending += ast.iter_child_nodes(part)
    return found


def _locals(function: Function) -> set[str]:
    args = function.args
    every = [*args.posonlyargs, *args.args, *args.kwonlyargs]
    rest = [arg for arg in (args.vararg, args.kwarg) if arg is not None]
    return {a.arg for a in [*every, *rest]} | set(bound_names(function.body)) - {
        n for p in ast.walk(function) if isinstance(p, ast.Global) for n in p.names
    }


def _of_scopes_in(function: Function) -> set[str]:
    """The names that functions and comprehensions in a function have for themselves."""
    found = {arg.arg for arg in ast.walk(function) if isinstance(arg, ast.arg)}
    loops = (part for part in ast.walk(function) if isinstance(part, ast.comprehension))
    return found | {name for loop in loops for name in bound_names([loop.target])}


def _words(tree: Tree) -> list[str | int | float]:
    """The constants that code compares with, or puts somewhere."""
    found: dict[str | int | float, None] = {}
    nodes = list(ast.walk(tree.module))
    compared = [part for n in nodes if isinstance(n, ast.Compare) for part in ast.walk(n)]
    stored = [n.value for n in nodes if isinstance(n, ast.Assign)]
    passed = [part for n in nodes if isinstance(n, ast.Call) for part in n.args]
    for node in (*compared, *stored, *passed):
        value = getattr(node, "value", None) if isinstance(node, ast.Constant) else None
        if isinstance(value, (str, int, float)) and not isinstance(value, bool):
            found.setdefault(value)
    return [word for word in found if not isinstance(word, str) or len(word) < 40][:_WORDS]
