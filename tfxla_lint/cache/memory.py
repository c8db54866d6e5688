"""What was found out of projects, and of the files that say what they need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tfxla_lint.cache.codec import decode, encode
from tfxla_lint.cache.store import Store
from tfxla_lint.digests import digest
from tfxla_lint.project.projects import Known
from tfxla_lint.settings.folders import Folders


class ProjectMemory:
    """Keeps each project's scans and clusters in the store of its root."""

    def __init__(self, stores: Mapping[Path, Store], tool: str) -> None:
        self._stores = stores
        self._tool = tool
        #: The digests of files as they were in an earlier run, by path.
        self.before: dict[Path, str] = {}

    def _key(self, root: Path) -> str:
        return digest(f"project\n{self._tool}\n{root}".encode("utf-8", "surrogateescape"))

    def recall(self, root: Path) -> Known:
        """What was kept of a project."""
        try:
            known: Known = decode(Known, self._stores[root].get(self._key(root)))
        except ValueError:
            return Known()
        self.before.update((root / file, name) for file, name, _ in known.files)
        return known

    def keep(self, root: Path, known: Known) -> None:
        """Keep this of a project from now on."""
        self._stores[root].put(self._key(root), encode(known))


class AnswerMemory:
    """Keeps answers that rest on small files, with the digest of each file that was looked at."""

    def __init__(self, store: Store, tool: str, folders: Folders) -> None:
        self._store = store
        self._tool = tool
        self._folders = folders

    def ask(self, question: str, root: Path, hint: Any, find: Callable[[], Any]) -> Any:
        """What was found out before, if all that it rests on is the same; else what `find` gives."""
        text = f"answer\n{self._tool}\n{question}\n{root}"
        key = digest(text.encode("utf-8", "surrogateescape"))
        try:
            looked_at, answer = self._store.get(key)
            if all(self._folders.state(path) == state for path, state in looked_at.items()):
                return decode(hint, answer)
        except (AttributeError, TypeError, ValueError):
            pass
        with self._folders.noting() as noted:
            answer = find()
        self._store.put(key, [{path: self._folders.state(path) for path in noted}, encode(answer)])
        return answer
