"""Lays out the files of an older commit that linting reads."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tfxla_lint.repository.git import git, text_of
from tfxla_lint.settings.folders import TELLING

_LINK, _FILE = "120000", ("100644", "100755")
#: What is larger is data.
_LARGEST = 5_000_000


def lay_out(root: Path, commit: str, folder: Path) -> None:
    """Write what linting reads of a commit into `folder`, which then looks like a repository."""
    (folder / ".git").mkdir()
    # Links come last, so that nothing is ever written through one.
    wanted = sorted(_wanted(root, commit), key=lambda blob: blob[0] == _LINK)
    request = "".join(f"{name}\n" for _, name, _ in wanted).encode()
    answer = git("cat-file", "--batch", folder=root, data=request)
    position = 0
    for mode, _, path in wanted:
        end = answer.index(b"\n", position)
        size = int(answer[position:end].split()[2])
        data = answer[end + 1 : end + 1 + size]
        position = end + 1 + size + 1
        _write(folder.joinpath(*PurePosixPath(path).parts), mode, data)


def _wanted(root: Path, commit: str) -> Iterator[tuple[str, str, str]]:
    """The mode, the name and the path of each blob that is laid out."""
    listed = text_of(git("ls-tree", "-r", "-l", "-z", "--full-tree", commit, folder=root))
    for row in listed.split("\0"):
        told, _, path = row.partition("\t")
        if not path or ".git" in (parts := PurePosixPath(path).parts) or ".." in parts:
            continue
        mode, _, name, size = told.split()
        is_read = mode in _FILE and TELLING.search(parts[-1]) and int(size) <= _LARGEST
        if is_read or mode == _LINK:
            yield mode, name, path


def _write(path: Path, mode: str, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if mode == _LINK:
        try:
            path.symlink_to(os.fsdecode(data))
        except OSError:
            return
    else:
        path.write_bytes(data)
