"""The name under which an object lives on after one of its names has gone."""

from __future__ import annotations

from functools import lru_cache

from tfxla_lint.knowledge import near, symbols
from tfxla_lint.knowledge.tables import Version


@lru_cache(maxsize=1024)
def successor(name: str, target: Version) -> str | None:
    """Another name that the object had beside `name`, and that the target still has.

    Only where the parameters are the same, with their order and defaults.
    """
    old = symbols.find(name)
    if old is None:
        return None
    for candidate in _candidates(name, target):
        same, new = symbols.find(candidate, old.version), symbols.find(candidate, target)
        if same is None or new is None or same.canonical != old.canonical:
            continue
        if new.params is not None and new.params == old.params:
            return candidate
    return None


def _candidates(name: str, target: Version) -> list[str]:
    """What lies near the name, and what lies beside it."""
    parent = name.rpartition(".")[0] + "."
    version = symbols.find(parent[:-1], target)
    beside = [] if version is None else symbols.names(version.version, parent)
    return [*near.near(name, target), *sorted(beside)]
