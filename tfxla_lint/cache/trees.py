"""Keeps the syntax trees of files that are looked at because of others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest

if TYPE_CHECKING:
    import libcst


class TreeMemory:
    """The trees of a run's projects, each in the store of its root, under what the file holds.

    Those of the files in `fresh` are not kept: they are linted for the first time or were changed,
    and what is kept of them would not be needed until one beside them changes.
    """

    def __init__(self, stores: Mapping[Path, Store], tool: str, fresh: frozenset[Path]) -> None:
        self._stores = stores
        self._tool = tool
        self._fresh = fresh

    def _key(self, text: str) -> str:
        name = digest(text.encode("utf-8", "surrogatepass"))
        return digest(f"tree\n{self._tool}\n{name}".encode("utf-8", "surrogateescape"))

    def recall(self, root: Path, text: str) -> libcst.Module | None:
        """The tree of a text, where it was kept."""
        from tfxla_lint.semantics.trees import rebuilt

        store = self._stores.get(root)
        document = store.get(self._key(text)) if store is not None else None
        try:
            return rebuilt(document) if document is not None else None
        except ValueError:
            return None

    def keep(self, root: Path, file: Path, text: str, tree: libcst.Module) -> None:
        """Keep the tree of a file from now on."""
        from tfxla_lint.semantics.trees import flattened

        store = self._stores.get(root)
        if store is not None and file not in self._fresh:
            store.put(self._key(text), flattened(tree))
