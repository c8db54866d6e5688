"""What lies in folders and in the small files that say what a project is: each is read once."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, Protocol

from tfxla_lint.contents import Contents
from tfxla_lint.digests import CACHE_FOLDER, digest

#: What says what a project is has no more bytes; what a tool locks may have more.
_SMALL, _LOCKED = 1_000_000, 32_000_000
#: Endings of files that may say something of a project. The others, data mostly, are only counted.
TELLING = re.compile(
    r"\.(pyw?|ipynb|toml|cfg|ini|dockerfile|txt|in|lock|ya?ml|md|rst)$|^.[^.]*$|^Dockerfile",
    re.IGNORECASE,
)


class Listing:
    """The entries of one folder: whether each is a folder, by name.

    `odd` are links, with where they lead, and what else is no regular file; `others` counts files of
    data. Our own cache is passed over.
    """

    def __init__(self, folder: Path) -> None:
        self.entries: dict[str, bool] = {}
        self.odd: dict[str, str] = {}
        self.others = 0
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if entry.is_dir(follow_symlinks=False):
                    if name != CACHE_FOLDER:
                        self.entries[name] = True
                elif TELLING.search(name):
                    self.entries[name] = False
                    if not entry.is_file(follow_symlinks=False):
                        self.odd[name] = os.readlink(entry) if entry.is_symlink() else ""
                else:
                    self.others += 1


class Memory(Protocol):
    """Keeps answers from one run to the next."""

    def ask(self, question: str, root: Path, hint: Any, find: Callable[[], Any]) -> Any:
        """What `find` gives, which is of the type `hint` and rests on what `Folders` reads."""
        ...


class Folders:
    """Lists folders and reads small files for one run."""

    def __init__(self) -> None:
        self._listings: dict[str, Listing | OSError] = {}
        self._texts: dict[str, str | None] = {}
        self._looked_at: dict[str, None] = {}
        self._noted: list[dict[str, None]] = [self._looked_at]
        self.contents = Contents()
        self.memory: Memory | None = None

    def listing(self, folder: Path) -> Listing:
        """What lies in a folder; raises OSError, every time."""
        key = str(folder)
        self._note(key + os.sep)
        found = self._listings.get(key)
        if found is None:
            try:
                found = Listing(folder)
            except OSError as error:
                found = error
            self._listings[key] = found
        if isinstance(found, OSError):
            raise found
        return found

    def has(self, folder: Path, names: Collection[str]) -> bool:
        """Whether something of one of these names lies in a folder, which need not be listed."""
        self._note("\0".join((str(folder), *names)))
        found = self._listings.get(str(folder))
        if isinstance(found, Listing):
            return any(name in found.entries for name in names)
        return any(os.path.exists(os.path.join(folder, name)) for name in names)

    def matching(self, folder: Path, pattern: str) -> list[Path]:
        """The files that lie directly in a folder and have such a name, in order."""
        try:
            entries = self.listing(folder).entries
        except OSError:
            return []
        names = (name for name, is_folder in entries.items() if not is_folder)
        return sorted(folder / name for name in names if fnmatchcase(name, pattern))

    def data(self, path: Path) -> bytes:
        """The bytes of a file; raises OSError, every time."""
        self._note(str(path))
        return self.contents.data(path)

    def note(self, path: Path) -> None:
        """Take note that a file is read by other means."""
        self._note(str(path))

    def text(self, path: Path) -> str | None:
        """The text of a small file; None where it cannot be read, or is none."""
        key = str(path)
        self._note(key)
        if key not in self._texts:
            listing = self._listings.get(os.path.dirname(key))
            entries = listing.entries if isinstance(listing, Listing) else (path.name,)
            is_absent = path.name not in entries and TELLING.search(path.name) is not None
            self._texts[key] = None if is_absent else self._read(path)
        return self._texts[key]

    def _read(self, path: Path) -> str | None:
        # A pipe or a device may never come to an end.
        if not os.path.isfile(path):
            return None
        try:
            if os.path.getsize(path) > (_LOCKED if path.suffix == ".lock" else _SMALL):
                return None
            text = self.contents.data(path).decode("utf-8", "surrogateescape")
        except OSError:
            return None
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def state(self, key: str) -> str:
        """What tells whether what was noted is still the same."""
        folder, *names = key.split("\0")
        if names:
            return str(self.has(Path(folder), names))
        if not key.endswith(os.sep):
            self._note(key)
            return self.contents.state(Path(key))
        try:
            found = self.listing(Path(key))
        except OSError:
            return ""
        told = f"{sorted(found.entries.items())}{sorted(found.odd.items())}{found.others // 1000}"
        return digest(told.encode("utf-8", "surrogateescape"))

    def looked_at(self) -> list[str]:
        """All that was looked at in this run, under the keys that `state` takes."""
        links: list[str] = []
        for folder, listing in self._listings.items():
            if isinstance(listing, Listing):
                links.extend(os.path.join(folder, name) for name in listing.odd)
        return [*self._looked_at, *self.contents.read, *links]

    def seen(self) -> dict[str, str]:
        """All that was looked at in this run, with its state."""
        return {key: self.state(key) for key in self.looked_at()}

    @contextmanager
    def noting(self) -> Iterator[dict[str, None]]:
        """Notes the files that are read meanwhile, the folders that are listed (with a slash) and the
        names that are asked for (behind a folder and a zero).
        """
        noted: dict[str, None] = {}
        self._noted.append(noted)
        try:
            yield noted
        finally:
            self._noted.pop()

    def ask(self, question: str, root: Path, hint: Any, find: Callable[[], Any]) -> Any:
        """What `find` gives for the project at `root`, or what it gave for the same files before."""
        return find() if self.memory is None else self.memory.ask(question, root, hint, find)

    def _note(self, key: str) -> None:
        for noted in self._noted:
            noted[key] = None


def above(
    folder: Path, known: dict[Path, Path | None], find: Callable[[Path], Path | None]
) -> Path | None:
    """What `find` gives for `folder`, or else for the nearest folder above; `known` remembers it."""
    passed: list[Path] = []
    found = None
    candidate, below = folder, None
    while found is None and candidate != below:
        if candidate in known:
            found = known[candidate]
            break
        passed.append(candidate)
        found = find(candidate)
        candidate, below = candidate.parent, candidate
    known.update(dict.fromkeys(passed, found))
    return found
