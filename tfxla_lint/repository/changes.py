"""Which lines of the working tree are not as they were in a commit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tfxla_lint.repository.git import diff, git, text_of

_HUNK = re.compile(r"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)", re.DOTALL)
_LETTERS = {
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}


@dataclass(frozen=True)
class Change:
    """A changed file: what it was called (None where it is new), and its new lines (None: all)."""

    old: str | None
    lines: tuple[range, ...] | None

    def touches(self, first: int, last: int) -> bool:
        """Whether a line from `first` up to `last` is new."""
        if self.lines is None:
            return True
        return any(part.start <= last and first < part.stop for part in self.lines)


def changes(root: Path, base: str) -> dict[str, Change]:
    """The files below `root`, the top of a repository, that are not as they were in a commit.

    They are called by their paths from `root`. Files that git does not track yet are new.
    """
    # What the user, or the repository, sets for people who read diffs has no say.
    options = ["--unified=0", "--inter-hunk-context=0", "--text", "--no-color"]
    options += ["--find-renames", "--src-prefix=a/", "--dst-prefix=b/", "--no-relative"]
    found = dict(_read(diff(*options, base, "--", folder=root)))
    listed = git("ls-files", "--others", "--exclude-standard", "-z", folder=root)
    fresh = {name: Change(None, None) for name in text_of(listed).split("\0") if name}
    return {**found, **fresh}


def _read(shown: str) -> Iterator[tuple[str, Change]]:
    for part in re.split(r"^diff --git ", shown, flags=re.MULTILINE)[1:]:
        head, _, body = part.partition("\n@@")
        fields = dict(_fields(head))
        old, new = fields.get("---"), fields.get("+++")
        if new is None or new == "/dev/null":
            continue
        name = _name(new)
        if old is None or old == "/dev/null":
            yield name, Change(None, None)
            continue
        hunks = (_HUNK.match(line) for line in f"@@{body}".split("\n"))
        ranges = [(int(m[1]), 1 if m[2] is None else int(m[2])) for m in hunks if m]
        lines = tuple(range(start, start + count) for start, count in ranges if count)
        yield name, Change(_name(old), lines)


def _fields(head: str) -> Iterator[tuple[str, str]]:
    for line in head.split("\n"):
        word, _, rest = line.partition(" ")
        if word in ("---", "+++"):
            yield word, rest.rstrip("\t")


def _name(shown: str) -> str:
    """A path as git's diff shows it, without its prefix; odd ones are quoted as in C."""
    if shown.startswith('"'):
        inner = shown[1:-1].encode("utf-8", "surrogateescape")
        shown = text_of(_ESCAPE.sub(_unescaped, inner))
    return shown[2:]


def _unescaped(match: re.Match[bytes]) -> bytes:
    code = match[1]
    return bytes([int(code, 8)]) if code.isdigit() else _LETTERS.get(code, code)
