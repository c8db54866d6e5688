"""Reads an older state of the working tree's Python files from git."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tfxla_lint.discovery import SUFFIXES
from tfxla_lint.notebooks.reading import source_of
from tfxla_lint.regular import regular_bytes
from tfxla_lint.repository.git import GitError, commit, diff, git, top
from tfxla_lint.settings.shown import shown_path
from tfxla_lint.source import Source, SourceError
from tfxla_lint.verify.pairs import Pair


def changed_pairs(
    revision: str, paths: Sequence[str], unread: dict[str, str] | None = None
) -> list[Pair]:
    """The Python files that differ from `revision`, below `paths` if any are named.

    A file that was moved is compared with what it was before. Each pair knows the other files' old
    and new texts, so that imports see one state.

    Files that are no source now, or were none, are put into `unread`, each with the reason; where that
    is not given, one of them is a GitError.
    """
    root = top()
    then = commit(revision)
    for path in paths:
        _check_path(revision, path)
    listed = _changed("MTR", revision, paths)
    before = {root / new: old for old, new in _names(listed) if new.endswith(SUFFIXES)}
    old: dict[Path, Source] = {}
    new: dict[Path, Source] = {}
    for file, name in before.items():
        if not file.exists():
            continue
        try:
            sides = _at(then, root, name), source_of(regular_bytes(file), str(file))
        except (SourceError, OSError) as error:
            reason = (
                error.message if isinstance(error, SourceError) else error.strerror or str(error)
            )
            if unread is None:
                raise GitError(f"{file}: {reason}") from None
            unread[shown_path(file)] = reason
        else:
            old[file], new[file] = sides
    overlays = (_by_name(old), _by_name(new))
    return [
        Pair(p, shown_path(p), old[p].text, new[p].text, overlays, old[p].cell_lines) for p in old
    ]


def _by_name(sources: Mapping[Path, Source]) -> dict[str, str]:
    return {str(path): source.text for path, source in sources.items()}


def files_gone(revision: str, paths: Sequence[str]) -> list[str]:
    """The Python files of `revision` that are no more, below `paths` if any are named."""
    root = top()
    names = [name for _, name in _names(_changed("D", revision, paths))]
    return [shown_path(root / name) for name in names if name.endswith(SUFFIXES)]


def _changed(kinds: str, revision: str, paths: Sequence[str]) -> str:
    """What git lists of files that were changed in one of the ways `kinds`; moves are found."""
    options = ["--name-status", "-z", "-M", f"--diff-filter={kinds}", "--end-of-options"]
    return diff(*options, revision, "--", *(paths or ["."]))


def _check_path(revision: str, path: str) -> None:
    """Raise GitError where a path that is named means no file, neither now nor at the revision."""
    if Path(path).exists() or git("ls-files", "--", path):
        return
    if not diff("--name-only", "--end-of-options", revision, "--", path):
        raise GitError(f"{path}: there is no such file")


def _names(listed: str) -> Iterator[tuple[str, str]]:
    """The old and new names that `git diff --name-status -z` lists."""
    words = iter(listed.split("\0"))
    for status in words:
        if status:
            name = next(words)
            yield name, next(words) if status.startswith("R") else name


def _at(commit: str, root: Path, name: str) -> Source:
    return source_of(git("cat-file", "blob", f"{commit}:{name}", folder=root), str(root / name))
