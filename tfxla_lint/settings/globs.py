"""Patterns of paths, read as `.gitignore` reads them, relative to one folder."""

from __future__ import annotations

import fnmatch
import os
import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

#: A pattern of one path component, which needs no full gitignore matcher.
_SIMPLE = re.compile(r"(?![!#])[^/\\\s]+/?")
#: So many stars may stand in one component of other patterns, and so many components may be `**`:
#: matching tries every way to spread a path over them.
_MOST_STARS = 3
#: A pattern of so many characters is one of no path.
_LONGEST = 4_096
_STARS = re.compile(r"\*+")


class Globs:
    """A list of patterns, relative to the folder `base`.

    A pattern without a slash matches a name at any depth; one with a slash is anchored at `base`;
    one that matches a folder matches all that lies below it.
    """

    def __init__(self, base: Path, patterns: Sequence[str]) -> None:
        self.base = base
        self.patterns = tuple(patterns)

    def matches(self, path: Path, is_folder: bool = False) -> bool:
        """Whether a pattern matches `path`, an absolute path below `base`, or a folder above it."""
        relative = relative_to(path, self.base)
        return bool(relative) and self.matches_relative(relative or "", is_folder)

    def matches_relative(self, relative: str, is_folder: bool = False) -> bool:
        """`matches` for a path that is already relative to `base`, with forward slashes."""
        if not self.patterns:
            return False
        if self._simple is not None:
            return self._matches_simple(relative, is_folder)
        return bool(self._spec.match_file(relative + "/" if is_folder else relative))

    def _matches_simple(self, relative: str, is_folder: bool) -> bool:
        names, folders = self._simple or (None, None)
        *above, last = relative.split("/")
        if names is not None and any(names.match(part) for part in [*above, last]):
            return True
        candidates = [*above, last] if is_folder else above
        return folders is not None and any(folders.match(part) for part in candidates)

    @cached_property
    def _simple(self) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None] | None:
        """Matchers for names and for folder names, where every pattern is that simple."""
        if not all(_SIMPLE.fullmatch(pattern) for pattern in self.patterns):
            return None
        names = [p for p in self.patterns if not p.endswith("/")]
        folders = [p[:-1] for p in self.patterns if p.endswith("/")]
        return _either(names), _either(folders)

    @cached_property
    def _spec(self) -> GitIgnoreSpec:
        return gitignore_spec(self.patterns)


def _either(patterns: list[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    return re.compile("|".join(fnmatch.translate(pattern) for pattern in patterns))


def relative_to(path: Path, base: Path) -> str | None:
    """`path` relative to `base` with forward slashes ("" for `base`), None where not below it."""
    prefix, text = str(base), str(path)
    if text == prefix:
        return ""
    if not prefix.endswith(os.sep):
        prefix += os.sep
    return text[len(prefix) :].replace(os.sep, "/") if text.startswith(prefix) else None


def is_quick(pattern: str) -> bool:
    """Whether a line of `.gitignore` is matched in a reasonable time, whatever a path is like."""
    if len(pattern) > _LONGEST:
        return False
    parts = pattern.split("/")
    doubles = sum(part == "**" for part in parts)
    return max(doubles, *(len(_STARS.findall(part)) for part in parts)) <= _MOST_STARS


def is_valid_pattern(pattern: str) -> bool:
    """Whether `pattern` can be read as a line of `.gitignore`, and matched in a reasonable time."""
    if _SIMPLE.fullmatch(pattern) and "[" not in pattern:
        return True
    if not is_quick(pattern):
        return False
    try:
        gitignore_spec([pattern])
    except (ValueError, re.error):
        return False
    return True


def gitignore_spec(lines: Iterable[str]) -> GitIgnoreSpec:
    """What matches lines of `.gitignore`; raises ValueError and `re.error`.

    Git takes `[[:alpha:]]` for what it is, and of what Python warns there nobody here can do anything.
    """
    from pathspec import GitIgnoreSpec

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return GitIgnoreSpec.from_lines(lines)
