"""Canonical dotted names behind expressions, through every import style and alias."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Sequence
from functools import lru_cache

import libcst as cst

from tfxla_lint.knowledge import symbols, tables
from tfxla_lint.project.layout import Place
from tfxla_lint.semantics.binder import Binder
from tfxla_lint.semantics.first_party import FirstParty, Member
from tfxla_lint.semantics.scopes import Binding, BindingKind, Scope
from tfxla_lint.semantics.taught_names import TaughtNames
from tfxla_lint.settings.taught import NOTHING_TAUGHT

_BUILTINS = frozenset(dir(builtins))

#: What modules of TensorFlow are called, and the one name that they have here.
_SPELLINGS: dict[str, str] = tables.load("spellings")["modules"]

#: Where TensorFlow has kept Keras to itself, and the same things in public.
_INSIDE, _PUBLIC = "tensorflow.python.keras.", "tensorflow.keras."

#: The API of TensorFlow 1, which has much of TensorFlow 2 as well: `tf.compat.v1.GradientTape`.
_API, _FIRST_API = "tensorflow.", "tensorflow.compat.v1."

NOTHING: frozenset[str] = frozenset()
#: The expressions that stand for a name of something.
_NAMING = frozenset({cst.Name, cst.Attribute, cst.Call})


@lru_cache(maxsize=8192)
def canonical(name: str) -> str:
    """`name` with the spellings of one thing made one: `keras.x` is `tensorflow.keras.x`, and
    `tensorflow.compat.v1.GradientTape` is that of TensorFlow 2."""
    name = spelled(name)
    if not name.startswith(_FIRST_API):
        return name
    found = _in_tensorflow_2(name)
    if found != name:
        return found
    holder, _, last = name.rpartition(".")
    return f"{canonical(holder)}.{last}"


def spelled(name: str) -> str:
    """`name` with the spellings of one module made one, below that which the code names."""
    for module, one in _SPELLINGS.items():
        if name == module or name.startswith(module + "."):
            return spelled(one + name[len(module) :])
    if name.startswith(_INSIDE):
        public = spelled(_PUBLIC + name.removeprefix(_INSIDE))
        return public if symbols.exists(public) else name
    return name


def _in_tensorflow_2(name: str) -> str:
    """The name there of what `compat.v1` shows, where that is the same thing in every version."""
    short = _API + name.removeprefix(_FIRST_API)
    same: set[str] = set()
    for version in tables.covered():
        symbol = symbols.find(name, version)
        if symbol is not None:
            beside = symbols.find(short, version)
            is_same = beside is not None and beside.canonical == symbol.canonical
            same.add(short if is_same else symbol.canonical)
    return same.pop() if len(same) == 1 else name


class Names:
    """Resolves expressions to dotted names, through the modules that are analysed together.

    The answer is a set, since a name can have several possible meanings (imports in
    `try`/`except`); it is empty where any meaning is unknown.
    """

    def __init__(
        self,
        binder: Binder,
        first_party: FirstParty | None = None,
        taught: TaughtNames | None = None,
    ) -> None:
        self._binder = binder
        #: What the project teaches of names.
        self.taught = taught or TaughtNames(NOTHING_TAUGHT, {})
        self._first_party = first_party
        self._known: dict[int, frozenset[str]] = {}
        self._bindings: dict[int, frozenset[str]] = {}
        self._members: dict[tuple[frozenset[str], str], frozenset[str]] = {}
        self._targets: dict[int, Place | Member | None] = {}

    def of(self, node: cst.CSTNode) -> frozenset[str]:
        """The canonical dotted names that an expression can stand for."""
        if type(node) not in _NAMING:
            return NOTHING
        key = id(node)
        known = self._known.get(key)
        if known is None:
            self._known[key] = NOTHING
            known = self._known[key] = self._resolve(node)
        return known

    def one(self, node: cst.CSTNode) -> str | None:
        """The only dotted name that an expression can stand for, or None."""
        names = self.of(node)
        return next(iter(names)) if len(names) == 1 else None

    def _resolve(self, node: cst.CSTNode) -> frozenset[str]:
        if type(node) is cst.Attribute:
            bases = self.of(node.value)
            if bases:
                return self._below(bases, node.attr.value)
            member = self.member(node)
            found = self._exported(member) if member is not None else NOTHING
        elif type(node) is cst.Name:
            found = self.lookup(node.value, self._binder.scope(node))
        else:
            found = self._by_text(node) if type(node) is cst.Call else NOTHING
        return self._as_known(found) if found else NOTHING

    def _below(self, bases: frozenset[str], name: str) -> frozenset[str]:
        """What is called `name` in any of some things."""
        known = self._members.get((bases, name))
        if known is None:
            known = self._as_known([f"{base}.{name}" for base in bases])
            self._members[bases, name] = known
        return known

    def _as_known(self, names: Iterable[str]) -> frozenset[str]:
        return frozenset([self.taught.of(canonical(name)) for name in names])

    def _by_text(self, node: cst.Call) -> frozenset[str]:
        """What `getattr(module, "name")` stands for, with the name written out."""
        given = [argument.value for argument in node.args]
        if len(given) != 2 or not isinstance(given[1], cst.SimpleString):
            return NOTHING
        if self.of(node.func) != {"builtins.getattr"}:
            return NOTHING
        name = given[1].evaluated_value
        return frozenset(f"{base}.{name}" for base in self.of(given[0]) if isinstance(name, str))

    def lookup(self, name: str, scope: Scope) -> frozenset[str]:
        """The dotted names that `name` can stand for when read from `scope`."""
        home = scope.home(name)
        if home is None:
            starred = self.starred(name, scope)
            if starred is not None:
                return self._exported(starred)
            return frozenset((f"builtins.{name}",)) if name in _BUILTINS else NOTHING
        return self._of_bindings(home.bindings[name])

    def _exported(self, member: Member) -> frozenset[str]:
        return self._of_bindings(member.scope.exported(member.name))

    def _of_bindings(self, bindings: Sequence[Binding]) -> frozenset[str]:
        if len(bindings) == 1:
            return self._of_binding(bindings[0]) or NOTHING
        found: set[str] = set()
        for binding in bindings:
            names = self._of_binding(binding)
            if names is None:
                continue
            if not names:
                return NOTHING
            found |= names
        return frozenset(found)

    # First-party modules

    def target(self, binding: Binding) -> Place | Member | None:
        """The first-party module, or member of one, that an import binds."""
        return self._first_party.of(binding) if self._first_party is not None else None

    def scope_of(self, place: Place) -> Scope | None:
        """The scope of a first-party module, where it is analysed."""
        return self._first_party.scope_of(place) if self._first_party is not None else None

    def starred(self, name: str, scope: Scope) -> Member | None:
        """What `from module import *` gives for a name that nothing in its module binds."""
        if self._first_party is None or not scope.module.star_imports:
            return None
        return self._first_party.by_star(scope.module, name)

    def place(self, node: cst.CSTNode) -> Place | None:
        """The first-party module that an expression stands for."""
        found = self._first_party_of(node)
        return found if isinstance(found, Place) else None

    def member(self, node: cst.Attribute) -> Member | None:
        """The member of a first-party module that `module.name` stands for."""
        found = self._first_party_of(node)
        return found if isinstance(found, Member) else None

    def _first_party_of(self, node: cst.CSTNode) -> Place | Member | None:
        if self._first_party is None:
            return None
        if type(node) is cst.Name:
            bindings = self._binder.scope(node).lookup(node.value)
            for binding in bindings:
                if binding.kind is not BindingKind.IMPORT:
                    return None
            targets = {self._first_party.of(binding) for binding in bindings}
            return targets.pop() if len(targets) == 1 else None
        if type(node) is not cst.Attribute:
            return None
        key = id(node)
        if key not in self._targets:
            holder = self.place(node.value)
            found = self._first_party.attribute(holder, node.attr.value) if holder else None
            self._targets[key] = found
        return self._targets[key]

    def _of_binding(self, binding: Binding) -> frozenset[str] | None:
        """The names that one binding gives; None where it says nothing (`tf = None`)."""
        key = id(binding)
        if key in self._bindings:
            return self._bindings[key]
        self._bindings[key] = NOTHING
        if binding.kind is BindingKind.IMPORT and binding.imported:
            names: frozenset[str] | None = self._of_import(binding, binding.imported)
        elif binding.kind in (BindingKind.ANNOTATION, BindingKind.DELETE):
            names = None
        elif binding.kind is BindingKind.ASSIGNMENT and binding.value is not None:
            value = binding.value
            if type(value) is cst.Name and value.value == "None":
                return None
            names = self.of(value)
        elif binding.kind is BindingKind.FUNCTION:
            taught = self.taught.of_definition(binding.scope, binding.name)
            names = frozenset([taught]) if taught is not None else NOTHING
        else:
            names = NOTHING
        if names is not None:
            self._bindings[key] = names
        return names

    def _of_import(self, binding: Binding, imported: str) -> frozenset[str]:
        target = self.target(binding)
        if target is None:
            return frozenset((self.taught.of(canonical(imported)),))
        return self._exported(target) if isinstance(target, Member) else NOTHING
