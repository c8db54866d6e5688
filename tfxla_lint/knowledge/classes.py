"""The classes behind public names: what each defines itself, and what it inherits.

A class is keyed by its canonical public name without the leading ``tensorflow.``, a private one
by ``-`` and where it is defined. Its members are entries of one letter for the kind (``m`` method,
``k`` class method, ``s`` static method, ``p`` property, ``a`` attribute, ``c`` class, ``i`` set on
the instance) and, for methods, a line of parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from tfxla_lint.knowledge import tables
from tfxla_lint.knowledge.tables import Version

_BASES = ":bases"
_OPEN = ":open"
_ATTRIBUTES = ":attributes"


def _table(key: str) -> Mapping[str, Any]:
    return tables.load("keras_classes" if key.startswith(("keras.", "-keras.")) else "classes")


def _record(key: str) -> Mapping[str, Any]:
    record: Mapping[str, Any] = _table(key).get(key, {})
    return record


@lru_cache(maxsize=512)
def ancestors(key: str, version: Version) -> tuple[str, ...]:
    """The class and its bases in the order in which attributes are looked up."""
    order: list[str] = []
    for base in (tables.at(_record(key).get(_BASES, ""), version) or "").split():
        for name in ancestors(base, version):
            if name in order:
                order.remove(name)
            order.append(name)
    return (key, *order)


@lru_cache(maxsize=256)
def members(key: str, version: Version) -> Mapping[str, Any]:
    """Public members by name, inherited ones included, each with its entry."""
    found: dict[str, Any] = {}
    for name in reversed(ancestors(key, version)):
        record = _record(name)
        for attribute in (tables.at(record.get(_ATTRIBUTES, ""), version) or "").split():
            found.setdefault(attribute, "i")
        for member, entry in record.items():
            if not member.startswith(":") and tables.at(entry, version) is not None:
                found[member] = entry
    return found


def constructor(key: str, version: Version) -> str:
    """The parameter line of ``__init__`` (else ``__new__``), ``?`` where it cannot be known."""
    for name in ancestors(key, version):
        for method in ("__init__", "__new__"):
            entry = tables.at(_record(name).get(method), version)
            if entry is not None:
                return str(entry)[2:]
    return "?"


def is_open(key: str, version: Version) -> bool:
    """Whether instances may have attributes that the tables cannot list."""
    return any(tables.at(_record(k).get(_OPEN), version) for k in ancestors(key, version))
