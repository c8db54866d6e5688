"""Where the files of a run are read, and where they are written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.regular import regular_bytes
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import Source
from tfxla_lint.writing import ChangedMeanwhileError, write_atomically


class Disk:
    """The files as they lie on this machine."""

    def read(self, path: Path) -> bytes:
        """What a file holds; raises OSError."""
        return regular_bytes(path)

    def write(self, path: Path, data: bytes, expected: bytes) -> None:
        """Put `data` in place of `expected`; raises OSError."""
        write_atomically(path, data, expected)

    @property
    def unwritten(self) -> dict[str, str]:
        """The texts, by path, of files that count as written and lie nowhere yet."""
        return {}

    def shown(self, path: Path) -> str:
        """The path that findings name."""
        return shown_path(path)

    def source(self, path: Path) -> Source:
        """The source in a file; raises OSError, SourceError."""
        return source_of(self.read(path), self.shown(path))


@dataclass(frozen=True)
class Overlaid(Disk):
    """Files as they lie on another disk, and what was to be written there, which only lies here."""

    below: Disk
    written: dict[Path, bytes] = field(default_factory=dict)

    def read(self, path: Path) -> bytes:
        """What a file would hold by now; raises OSError."""
        return self.written[path] if path in self.written else self.below.read(path)

    def write(self, path: Path, data: bytes, expected: bytes) -> None:
        """Keep what would be written."""
        self.written[path] = data

    @property
    def unwritten(self) -> dict[str, str]:
        """The texts, by path, of the files that would be written."""
        texts = {str(path): source_of(data, str(path)).text for path, data in self.written.items()}
        return {**self.below.unwritten, **texts}

    def shown(self, path: Path) -> str:
        """The path that findings name."""
        return self.below.shown(path)


@dataclass(frozen=True)
class Carried(Disk):
    """Files of another machine, by the paths that they have there, or why they could not be read.

    What is written stays in `written`, for that machine to write; `names` are those that findings
    give to the files.
    """

    files: dict[Path, bytes | OSError]
    names: dict[Path, str]
    written: dict[Path, bytes] = field(default_factory=dict)

    @classmethod
    def of(cls, paths: set[Path], disk: Disk) -> Carried:
        """These files, as `disk` has them."""
        files: dict[Path, bytes | OSError] = {}
        for path in paths:
            try:
                files[path] = disk.read(path)
            except OSError as error:
                files[path] = error
        return cls(files, {path: disk.shown(path) for path in paths})

    def read(self, path: Path) -> bytes:
        """What a file holds by now; raises OSError."""
        data = self.written.get(path, self.files.get(path, FileNotFoundError(2, "it is not here")))
        if isinstance(data, OSError):
            raise data
        return data

    def write(self, path: Path, data: bytes, expected: bytes) -> None:
        """Keep what is to be written."""
        if self.read(path) != expected:
            raise ChangedMeanwhileError(0, "the file changed while it was being fixed", str(path))
        self.written[path] = data

    @property
    def unwritten(self) -> dict[str, str]:
        """The texts, by path, of the files that wait to be written."""
        return {str(path): source_of(data, str(path)).text for path, data in self.written.items()}

    @property
    def changes(self) -> dict[Path, tuple[bytes, bytes]]:
        """What each file was that is to be written, and what it is to be."""
        before = {path: self.files[path] for path in self.written}
        return {p: (old, self.written[p]) for p, old in before.items() if isinstance(old, bytes)}

    def shown(self, path: Path) -> str:
        """The path that findings name, on the machine that the files come from."""
        return self.names.get(path, str(path))
