"""What a project's own files say of the TensorFlow that it needs; none of them is run."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from os.path import normpath
from pathlib import Path
from typing import Any, TypeAlias

from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.specifiers import (
    FIRST,
    Asked,
    is_tensorflow,
    lowest,
    of_conda,
    required,
)
from tfxla_lint.settings.strings import strings_of, strings_within
from tfxla_lint.settings.toml import locate, read_toml

#: A line of a file, and the TensorFlow that it asks for.
Pin: TypeAlias = "tuple[int, Asked]"

_PACKAGE = r"(?:intel[-_.])?tensorflow(?:[-_.]\w+)?"
_LOCKED = re.compile(
    rf"""name\s*=\s*["'](?P<name>{_PACKAGE})["'][^\S\n]*\n\s*version\s*=\s*["'](?P<version>\d[^"']*)["']"""
)
_PIPFILE_LOCKED = re.compile(
    rf'"(?P<name>{_PACKAGE})"\s*:\s*\{{[^{{}}]*?"version"\s*:\s*"==(?P<version>[^"]+)"', re.DOTALL
)
_INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)[\s=]*(?P<file>[^\s#]+)")
_HASH = re.compile(r"(?:^|\s)#.*")
_OPTION = re.compile(r"\s--\w.*")
#: What stands before a requirement on its line: a key, or the environments of tox that it is for.
_KEY = re.compile(r"\s*(?:\w[\w-]*\s*=(?!=)|[\w,{}!-]+:(?=\s))\s*")
_LIST_ITEM = re.compile(r"""\s*-\s*["']?(?P<item>[^"'\n]*[^"'\s])["']?\s*""")
_ARGUMENT = re.compile(r"^\s*(?:ARG|ENV)\s+(\w+)[= ](\S+)", re.MULTILINE)
_IMAGE = re.compile(r"\s*FROM\s+(?:--\S+\s+)?tensorflow/tensorflow:(?P<version>\d{1,4}\.\d{1,4})")
_INSTALL = re.compile(r"\bpip3?\s+install\s(?P<rest>[^&|;]*)")


def pins(root: Path, folders: Folders) -> Iterator[tuple[Path, Pin]]:
    """What each file of a project asks for of TensorFlow, with its line."""
    for path, read in _files(root, folders):
        includes = read is _requirements or read is _pinned_requirements
        for file in _with_included(path, folders) if includes else [path]:
            text = text_of(file, folders)
            if "tensorflow" in text.lower():
                yield from read(file, text)


def files_of(root: Path, folders: Folders) -> list[Path]:
    """The files that are looked at, those that others include apart."""
    return [path for path, _ in _files(root, folders)]


def text_of(path: Path, folders: Folders) -> str:
    """The text of a file, empty where it cannot be read."""
    return (folders.text(path) or "").encode("utf-8", "replace").decode("utf-8")


_Found: TypeAlias = "Iterator[tuple[Path, Pin]]"
_Reader: TypeAlias = Callable[[Path, str], _Found]


def _files(root: Path, folders: Folders) -> Iterator[tuple[Path, _Reader]]:
    """The files whose names say what they are, and small ones of their kinds beside them or in a
    folder that is for such files."""
    for folder in [root, *_inner(root, folders)]:
        seen: set[Path] = set()
        for pattern, read in _READERS.items():
            found = [path for path in folders.matching(folder, pattern) if path not in seen]
            seen.update(found)
            if pattern.startswith("*"):
                found = [path for path in found[:_MOST] if _is_small(path)]
                if read is _pinned_requirements and folder.name == _FOR_PIP and folder != root:
                    read = _requirements
            yield from ((path, read) for path in found)


def _inner(root: Path, folders: Folders) -> list[Path]:
    try:
        entries = folders.listing(root).entries
    except OSError:
        return []
    return sorted(
        root / name for name, is_one in entries.items() if is_one and _FOLDER.search(name)
    )


def _is_small(path: Path) -> bool:
    try:
        return os.path.getsize(path) <= _LARGEST
    except OSError:
        return False


def _with_included(path: Path, folders: Folders) -> list[Path]:
    """A file for pip, and those that it includes."""
    found = [path]
    for file in found:
        for match in map(_INCLUDE.match, text_of(file, folders).splitlines()):
            if match is not None:
                other = Path(normpath(file.parent / match.group("file")))
                found.extend([other] if other not in found else [])
    return found


def _of_lines(path: Path, text: str, read: Callable[[str], Asked | None]) -> _Found:
    for number, line in enumerate(text.splitlines(), 1):
        asked = read(line)
        if asked is not None:
            yield path, (number, asked)


def _requirements(path: Path, text: str) -> _Found:
    def read(line: str) -> Asked | None:
        return required(_OPTION.sub("", _HASH.sub("", line)).rstrip("\\ "))

    yield from _of_lines(path, text, read)


def _pinned_requirements(path: Path, text: str) -> _Found:
    """Of a file that may be no list of requirements: those with a version."""
    yield from (pin for pin in _requirements(path, text) if pin[1][1].lowest is not None)


def _setup_py(path: Path, text: str) -> _Found:
    strings = ((line, part) for line, s in strings_of(text) for part in s.splitlines())
    yield from _limited(path, strings)
    for line, string in strings_within(text, "install_requires"):
        if (asked := required(string)) is not None and asked.is_open:
            yield path, (line, Asked(None, True))


def _setup_cfg(path: Path, text: str) -> _Found:
    lines = enumerate(text.splitlines(), 1)
    yield from _limited(path, ((number, _KEY.sub("", line, count=1)) for number, line in lines))


def _limited(path: Path, requirements: Iterable[tuple[int, str]]) -> _Found:
    """Of requirements without an upper limit that there is none: a lower one alone is seldom kept
    up there.

    One that ends with TensorFlow 1 is a choice (an extra) where another allows TensorFlow 2.
    """
    read = [(line, asked) for line, text in requirements if (asked := required(text)) is not None]
    found = [(line, a, a.lowest) for line, a in read if a.lowest is not None]
    is_choice = any(version >= FIRST for _, _, version in found)
    for line, asked, version in found:
        if asked.is_open:
            yield path, (line, Asked(None, True))
        elif version >= FIRST or not is_choice:
            yield path, (line, asked)


def _conda(path: Path, text: str) -> _Found:
    def read(line: str) -> Asked | None:
        item = _LIST_ITEM.fullmatch(_HASH.sub("", line))
        return of_conda(item.group("item")) if item is not None else None

    yield from _of_lines(path, text, read)


def _dockerfile(path: Path, text: str) -> _Found:
    for name, value in _ARGUMENT.findall(text):
        text = re.sub(rf"\$\{{?{name}\b\}}?", value.strip("\"'").replace("\\", ""), text)
    yield from _of_lines(path, text, _installed)


def _installed(line: str) -> Asked | None:
    """What a line of a Dockerfile installs, or begins with."""
    image = _IMAGE.match(line)
    if image is not None:
        return Asked(lowest("==" + image.group("version")))
    install = _INSTALL.search(line)
    rest = install.group("rest") if install is not None else line
    try:
        words = shlex.split(rest.rstrip("\\ "), comments=True)
    except ValueError:
        return None
    return next((v for word in words if (v := required(word)) is not None), None)


def _lock(path: Path, text: str) -> _Found:
    pattern = _PIPFILE_LOCKED if path.name == "Pipfile.lock" else _LOCKED
    for match in pattern.finditer(text):
        version = lowest("==" + match.group("version"))
        if version is not None and is_tensorflow(match.group("name")):
            yield path, (text.count("\n", 0, match.start()) + 1, Asked(version))


def _pyproject(path: Path, text: str) -> _Found:
    try:
        data, text = read_toml(path, path.name)
    except SettingsError:
        return
    for requirement in _standard(data):
        asked = required(requirement)
        if asked is not None:
            offset = text.find(requirement)
            yield path, (text.count("\n", 0, offset) + 1 if offset >= 0 else 0, asked)
    for keys, spec in _specifiers(data, ()):
        version = lowest(spec, bare_is_exact=True)
        if version is not None:
            yield path, (locate(text, keys), Asked(version))


def _table(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _standard(data: dict[str, Any]) -> Iterator[str]:
    """Requirement strings of every standard table, and of those of pdm and uv."""
    yield from _texts(_table(data, "project", "dependencies"))
    groups = [("project", "optional-dependencies"), ("dependency-groups",)]
    groups += [("tool", "pdm", "dev-dependencies")]
    for keys in groups:
        table = _table(data, *keys)
        for group in table.values() if isinstance(table, dict) else ():
            yield from _texts(group)
    yield from _texts(_table(data, "tool", "uv", "dev-dependencies"))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, str))


def _specifiers(table: object, above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """The specifiers in tables of Poetry, Pipenv, pixi and others, with their keys."""
    for name, value in table.items() if isinstance(table, dict) else ():
        for one in value if isinstance(value, list) else [value]:
            spec = one.get("version") if isinstance(one, dict) else one
            if is_tensorflow(name) and isinstance(spec, str):
                yield (*above, name), spec
        yield from _specifiers(value, (*above, name))


#: Folders that hold such files, of which the one for pip holds nothing else.
_FOLDER = re.compile(r"req|dep|\benv|conda|docker|container|install|setup", re.IGNORECASE)
_FOR_PIP = "requirements"
#: So many files of each kind are looked at in a folder, and none that are larger.
_MOST, _LARGEST = 20, 65_536
_READERS: dict[str, _Reader] = {
    "pyproject.toml": _pyproject,
    "Pipfile": _pyproject,
    "setup.py": _setup_py,
    "setup.cfg": _setup_cfg,
    **dict.fromkeys(
        (
            f"{name}*{ending}"
            for name in ("requirements", "constraints")
            for ending in (".txt", ".in")
        ),
        _requirements,
    ),
    **dict.fromkeys(("poetry.lock", "uv.lock", "pdm.lock", "pylock.toml", "Pipfile.lock"), _lock),
    **dict.fromkeys(("Dockerfile*", "Containerfile*", "*.[Dd]ockerfile"), _dockerfile),
    **dict.fromkeys(("*.txt", "*.in", "*.lock"), _pinned_requirements),
    **dict.fromkeys(("*.yml", "*.yaml"), _conda),
    **dict.fromkeys(("*.cfg", "*.ini"), _setup_cfg),
    "*.toml": _pyproject,
}
