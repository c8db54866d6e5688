"""Keeps the syntax trees, and the words, of files that are looked at because of others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest
from tfxla_lint.project.words import words_of

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
        #: What was read for its words, by the key, until the tree is rebuilt.
        self._read: dict[str, Any] = {}

    def _key(self, text: str) -> str:
        name = digest(text.encode("utf-8", "surrogatepass"))
        return digest(f"tree\n{self._tool}\n{name}".encode("utf-8", "surrogateescape"))

    def words(self, root: Path, texts: Iterable[str]) -> Iterator[frozenset[str]]:
        """The words of the codes of some files, as they were kept, or as they are found now."""
        self._read.clear()
        for text in texts:
            key = self._key(text)
            words, tree = self._kept(root, key)
            if tree is None:
                yield words_of(text)
            else:
                self._read[key] = words, tree
                yield frozenset(words)

    def _kept(self, root: Path, key: str) -> tuple[list[str], Any]:
        store = self._stores.get(root)
        document: Any = store.get(key) if store is not None else None
        try:
            words, tree = document
            return list(map(str, words)), tree
        except (TypeError, ValueError):
            return [], None

    def recall(self, root: Path, text: str) -> libcst.Module | None:
        """The tree of a text, where it was kept."""
        from tfxla_lint.semantics.trees import rebuilt

        key = self._key(text)
        _, tree = self._read.pop(key, None) or self._kept(root, key)
        try:
            return rebuilt(tree) if tree is not None else None
        except ValueError:
            return None

    def keep(self, root: Path, file: Path, text: str, tree: libcst.Module) -> None:
        """Keep the tree of a file from now on."""
        from tfxla_lint.semantics.trees import flattened

        store = self._stores.get(root)
        if store is not None and file not in self._fresh:
            store.put(self._key(text), [sorted(words_of(text)), flattened(tree)])
