"""The public names of TensorFlow and Keras over the covered versions.

Names are full dotted names: ``tensorflow.math.reduce_mean``, ``tensorflow.keras.layers.Dense``,
``tensorflow.compat.v1.Session``; ``keras.layers.Dense`` is the stand-alone package, which shows
nearly the same as ``tensorflow.keras``. Members of classes follow their class:
``tensorflow.data.Dataset.map``. A version is a tuple such as ``(2, 15)``; None means the newest
covered version that has the name. Versions between two covered ones are judged by both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal

from tfxla_lint.knowledge import classes, parameters, tables
from tfxla_lint.knowledge.parameters import Param
from tfxla_lint.knowledge.tables import Version

Kind = Literal["function", "class", "module", "constant", "method", "property", "attribute"]

ROOT = "tensorflow."

_KINDS: dict[str, Kind] = {"f": "function", "c": "class", "M": "module", "x": "module"}
_MEMBER_KINDS: dict[str, Kind] = {"p": "property", "c": "class", "a": "constant", "i": "attribute"}


class Symbol:
    """One public name as one version has it."""

    def __init__(self, name: str, entry: Any, version: Version, owner: str | None = None) -> None:
        self.name = name
        #: The version whose facts the other fields give.
        self.version = version
        self._entry = entry
        self._owner = owner
        self._record: str = tables.at(entry, version)

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} in {self.version}>"

    @cached_property
    def versions(self) -> frozenset[Version]:
        """The covered versions that have the name."""
        if self._owner is None:
            return tables.versions_of(self._entry)
        leaf = self.name.rpartition(".")[2]
        return frozenset(v for v in tables.covered() if _member_entry(self._owner, leaf, v))

    @property
    def since(self) -> Version | None:
        """The first covered version with the name; None if even the oldest has it."""
        first = min(self.versions)
        return None if first == tables.covered()[0] else first

    @property
    def until(self) -> Version | None:
        """The last covered version with the name; None if the newest has it."""
        last = max(self.versions)
        return None if last == tables.newest() else last

    @property
    def kind(self) -> Kind:
        """What the name is bound to."""
        letter = self._target[:1]
        if self._owner is None:
            return _KINDS.get(letter, "constant")
        return _MEMBER_KINDS.get(letter, "method")

    @cached_property
    def canonical(self) -> str:
        """The name under which TensorFlow documents the same object."""
        if self._record.startswith("="):
            return ROOT + self._record[1:]
        return plain(self.name)

    @cached_property
    def _target(self) -> str:
        """The record of the object itself, whichever name it was asked by."""
        if not self._record.startswith("="):
            return self._record
        return str(tables.at(_entry(self.canonical), self.version) or "?")

    @property
    def opaque(self) -> bool:
        """Whether it is a module whose content the tables do not list."""
        return self._target == "x"

    @property
    def class_key(self) -> str | None:
        """The key of the class in the class table."""
        if self.kind != "class":
            return None
        return self._target[2:] or self.canonical.removeprefix(ROOT)

    @cached_property
    def params(self) -> tuple[Param, ...] | None:
        """Parameters in order, without `self`; of a class, its constructor's. None: unknown."""
        if self.kind == "class":
            key = self.class_key
            return parameters.parse(classes.constructor(key, self.version)) if key else None
        if self.kind in ("function", "method"):
            return parameters.parse(self._target[2:])
        return None

    @property
    def value(self) -> str | None:
        """The source text of a plain constant."""
        return self._target[2:] or None if self.kind == "constant" else None

    def param(self, name: str) -> Param | None:
        """The parameter of that name."""
        return next((p for p in self.params or () if p.name == name), None)

    def accepts(self, keyword: str) -> bool | None:
        """Whether a call may pass `keyword`; None where that cannot be known.

        A keyword that ``**kwargs`` would swallow without any effect is not accepted.
        """
        if self.params is None:
            return None
        for param in self.params:
            if param.kind == "keywords":
                return None if param.known is None else keyword in param.known
            if param.name == keyword and param.kind in ("ordinary", "keyword-only"):
                return True
        return False

    @cached_property
    def methods(self) -> Mapping[str, Symbol]:
        """The members of a class by name, inherited ones included; empty for anything else."""
        if self.class_key is None:
            return {}
        entries = classes.members(self.class_key, self.version)
        return {
            name: Symbol(f"{self.name}.{name}", entry, self.version, self.name)
            for name, entry in entries.items()
        }

    @property
    def _deprecation(self) -> list[Any] | None:
        table = tables.load("deprecations")
        for name in (self.name, self.canonical):
            entry = tables.at(table.get(name.removeprefix(ROOT)), self.version)
            if entry:
                return list(entry)
        return None

    @property
    def deprecated(self) -> str | None:
        """TensorFlow's own advice where the name is deprecated as a whole."""
        note = self._deprecation
        return note[0] or None if note else None

    @property
    def replacement(self) -> str | None:
        """The name that the deprecation advises, where it exists."""
        note = self._deprecation
        if not note or not note[1]:
            return None
        beside = self.name.rpartition(".")[0] + "."
        for prefix in (ROOT, beside) if "." in note[1] else (beside, ROOT):
            found = find(prefix + note[1])
            if found is not None and found.name != self.name:
                return found.name
        return None

    @property
    def deprecated_arguments(self) -> Mapping[str, str]:
        """Deprecated arguments, each with the name that replaces it, or advice, or nothing."""
        note = self._deprecation
        return note[2] if note and len(note) > 2 else {}


def _table_of(name: str) -> str:
    """The data file that holds a name (without its root)."""
    first, _, rest = name.partition(".")
    if first == "keras":
        return "keras"
    if first == "raw_ops" and rest:
        return "raw_ops"
    if name.startswith("compat.v1."):
        return "compat_v1"
    return "api"


#: The one name of `compat.v2` that the API itself does not have.
_ONLY_V2 = "tensorflow.compat.v2.enable_v2_behavior"


def plain(name: str) -> str:
    """The name without the parts that repeat the API (`compat.v2`, `compat.v1.raw_ops`)."""
    if not name.startswith(ROOT + "compat.") or name == _ONLY_V2:
        return name
    return name.replace(".compat.v2.", ".", 1).replace(".compat.v1.raw_ops.", ".raw_ops.", 1)


def _entry(name: str) -> Any:
    """The entry of a module-level name in the tables, or None."""
    name = plain(name)
    if name in ("tensorflow", "tensorflow.compat.v2"):
        return "M"
    if name.split(".")[0] == "keras":
        return tables.load("keras")["standalone"].get(name) or _entry(ROOT + name)
    if not name.startswith(ROOT):
        return None
    short = name.removeprefix(ROOT)
    return tables.load(_table_of(short))["symbols"].get(short)


#: No name of TensorFlow has so many parts, and each is looked for in what the others name.
_MOST_PARTS = 32


@lru_cache(maxsize=4096)
def find(name: str, version: Version | None = None) -> Symbol | None:
    """What a full dotted name means, or None where the tables do not have it."""
    if name.count(".") >= _MOST_PARTS:
        return None
    for candidate in tables.neighbours(version) if version else (None,):
        entry = _entry(name)
        if entry is not None:
            have = tables.versions_of(entry)
            if candidate is None or candidate in have:
                return Symbol(name, entry, candidate or max(have))
        elif "." in name:
            found = _member(name, candidate)
            if found is not None:
                return found
    return None


def _member(name: str, version: Version | None) -> Symbol | None:
    """A name that is a member of a class."""
    parent, _, leaf = name.rpartition(".")
    # What no version has below it is not looked for in each of them, nor what it hangs on.
    if parent.count(".") == 0 or find(parent) is None:
        return None
    for candidate in (version,) if version else reversed(tables.covered()):
        entry = _member_entry(parent, leaf, candidate)
        if entry is not None:
            return Symbol(name, entry, candidate, parent)
    return None


def _member_entry(parent: str, leaf: str, version: Version) -> Any:
    """What a class of one version has under a name; it may be another class in the next one."""
    owner = find(parent, version)
    key = owner.class_key if owner is not None else None
    return classes.members(key, version).get(leaf) if key is not None else None


def exists(name: str, version: Version | None = None) -> bool:
    """Whether the name is known to exist (in `version`, or in any covered one)."""
    return find(name, version) is not None


def missing(name: str, version: Version | None = None) -> bool:
    """Whether the name is known *not* to exist.

    That takes a parent whose content the tables list: a public module or a class without dynamic
    attributes. Private names, and anything below a constant or an unlisted package, are unknown.
    """
    parts = name.split(".")
    last = last_with(name) if version is not None else None
    if parts[0] not in ("tensorflow", "keras") or (last is not None and (version or last) <= last):
        return False
    for end in range(2, len(parts) + 1):
        if parts[end - 1].startswith("_"):
            return False
        current = ".".join(parts[:end])
        if not exists(current, version):
            return _lists_members(".".join(parts[: end - 1]), version)
    return False


@lru_cache(maxsize=1024)
def last_with(name: str) -> Version | None:
    """The last version with a name that is in none of the covered ones, where one is known."""
    until = tables.load("new_names")["until"]
    while "." in name:
        last = until.get(name)
        if last:
            return last[0], last[1]
        name = name.rpartition(".")[0]
    return None


def _lists_members(parent: str, version: Version | None) -> bool:
    symbol = find(parent, version)
    if symbol is None or symbol.opaque:
        return False
    if parent.startswith("keras.") and _lists_members("keras", version) is False:
        return False
    if symbol.kind == "module":
        return True
    key = symbol.class_key
    return key is not None and not classes.is_open(key, symbol.version)


def names(version: Version | None = None, prefix: str = "") -> Iterator[str]:
    """All module-level names (of one version) that start with `prefix`, in no special order."""
    for table in ("api", "keras", "compat_v1", "raw_ops"):
        for short, entry in tables.load(table)["symbols"].items():
            if (ROOT + short).startswith(prefix):
                if version is None or version in tables.versions_of(entry):
                    yield ROOT + short
