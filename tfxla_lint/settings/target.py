"""Finds the lowest TensorFlow version that a project's own files allow."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tfxla_lint.settings.errors import SettingsError
from tfxla_lint.settings.folders import Folders
from tfxla_lint.settings.model import Target
from tfxla_lint.settings.toml import locate, read_toml

_PACKAGE = r"tensorflow(?:[-_.](?:cpu|gpu|intel|macos|rocm))?"
_REQUIREMENT = re.compile(
    rf"\s*{_PACKAGE}\s*(?:\[[^\]]*\])?\s*(?P<spec>(?:[=<>!~(][^;#\n]*)?)", re.IGNORECASE
)
_NAME = re.compile(_PACKAGE, re.IGNORECASE)
_CLAUSE = re.compile(r"(===|==|>=|<=|~=|!=|<|>|\^|~)?\s*v?(\d+(?:\.\d+)*)")
_LOCKED = re.compile(
    rf"""name\s*=\s*["']{_PACKAGE}["']\s*\n\s*version\s*=\s*["'](?P<version>\d[^"']*)["']"""
)
_PIPFILE_LOCKED = re.compile(
    rf'"{_PACKAGE}"\s*:\s*\{{[^{{}}]*?"version"\s*:\s*"==(?P<version>[^"]+)"', re.DOTALL
)
_QUOTED = re.compile(r"""(["'])(?P<text>tensorflow[^"'\n]*)\1""", re.IGNORECASE)
_LOCK_FILES = ("poetry.lock", "uv.lock", "pdm.lock", "pylock.toml", "Pipfile.lock")
_TF_KERAS = re.compile(r"""^[^#\n]*?(?<![\w-])tf[-_]keras(?![\w-])""", re.MULTILINE)
_OLDEST = (2, 0)


def find_target(root: Path, folders: Folders | None = None) -> Target:
    """The lowest version that the project's requirements and lock files allow."""
    found: list[tuple[tuple[int, int], str]] = []
    for path, line, version in _versions(root, folders or Folders()):
        place = f"{path.relative_to(root).as_posix()}:{line}" if line else path.name
        found.append((max(version, _OLDEST), place))
    if not found:
        return Target(None, "no requirement or lock file says which")
    (major, minor), place = min(found)
    return Target(f"{major}.{minor}", place)


def requires_tf_keras(root: Path, folders: Folders | None = None) -> bool:
    """Whether the project's requirements name the Keras 2 that is a package of its own."""
    folders = folders or Folders()
    files = [root / "pyproject.toml", root / "setup.py", *_requirement_files(root, folders)]
    return any(_TF_KERAS.search(folders.text(path) or "") for path in files)


def _versions(root: Path, folders: Folders) -> Iterator[tuple[Path, int, tuple[int, int]]]:
    yield from _from_pyproject(root / "pyproject.toml", folders)
    yield from _from_setup(folders.text(root / "setup.py") or "", root / "setup.py")
    for path in _requirement_files(root, folders):
        for number, text in enumerate((folders.text(path) or "").splitlines(), 1):
            match = _REQUIREMENT.fullmatch(re.split(r"[;#]", text)[0])
            version = lowest(match.group("spec")) if match else None
            if version is not None:
                yield path, number, version
    for name in _LOCK_FILES:
        path = root / name
        text = folders.text(path) or ""
        pattern = _PIPFILE_LOCKED if name == "Pipfile.lock" else _LOCKED
        for match in pattern.finditer(text):
            version = lowest("==" + match.group("version"))
            if version is not None:
                yield path, text.count("\n", 0, match.start()) + 1, version


def _from_setup(text: str, path: Path) -> Iterator[tuple[Path, int, tuple[int, int]]]:
    """The requirements among the strings of a `setup.py`, which is not run.

    Only those with an upper limit: a lower one alone is seldom kept up there.
    """
    for found in _QUOTED.finditer(text):
        match = _REQUIREMENT.fullmatch(found.group("text").split(";")[0])
        is_limited = match is not None and re.search(r"==|<|~=", match.group("spec"))
        version = lowest(match.group("spec")) if match and is_limited else None
        if version is not None:
            yield path, text.count("\n", 0, found.start()) + 1, version


def _requirement_files(root: Path, folders: Folders) -> list[Path]:
    inner = root / "requirements"
    beside = folders.matching(root, "requirements*.txt")
    has_inner = folders.has(root, (inner.name,))
    return sorted([*beside, *(folders.matching(inner, "*.txt") if has_inner else ())])


def _from_pyproject(path: Path, folders: Folders) -> Iterator[tuple[Path, int, tuple[int, int]]]:
    if "tensorflow" not in (folders.text(path) or ""):
        return
    try:
        data, text = read_toml(path, path.name)
    except SettingsError:
        return
    for requirement in _requirements(data):
        match = _REQUIREMENT.fullmatch(requirement.split(";")[0])
        version = lowest(match.group("spec")) if match else None
        if version is not None:
            offset = text.find(requirement)
            yield path, text.count("\n", 0, offset) + 1 if offset >= 0 else 0, version
    for keys, spec in _poetry_requirements(data):
        version = lowest(spec, bare_is_exact=True)
        if version is not None:
            yield path, locate(text, keys), version


def _table(data: Any, *keys: str) -> Any:
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _requirements(data: dict[str, Any]) -> Iterator[str]:
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


def _poetry_requirements(data: dict[str, Any]) -> Iterator[tuple[tuple[str, ...], str]]:
    poetry = ("tool", "poetry")
    tables: list[tuple[str, ...]] = [(*poetry, "dependencies"), (*poetry, "dev-dependencies")]
    groups = _table(data, *poetry, "group")
    for name in groups if isinstance(groups, dict) else ():
        tables.append((*poetry, "group", name, "dependencies"))
    for keys in tables:
        table = _table(data, *keys)
        for name, value in table.items() if isinstance(table, dict) else ():
            if not _NAME.fullmatch(name):
                continue
            for one in value if isinstance(value, list) else [value]:
                spec = one.get("version") if isinstance(one, dict) else one
                if isinstance(spec, str):
                    yield (*keys, name), spec


def lowest(spec: str, bare_is_exact: bool = False) -> tuple[int, int] | None:
    """The lowest (major, minor) that a version specifier allows; None where it sets no limit.

    With an upper limit alone it is the newest version below that limit.
    """
    spec = spec.strip().strip("()")
    if "|" in spec:
        parts = [lowest(part, bare_is_exact) for part in spec.split("|") if part.strip()]
        known = [part for part in parts if part is not None]
        return min(known, default=None)
    lower: list[tuple[int, int]] = []
    upper: list[tuple[int, int]] = []
    for operator, text in _CLAUSE.findall(spec):
        numbers = [int(part) for part in text.split(".")]
        version = (numbers[0], numbers[1] if len(numbers) > 1 else 0)
        if operator in ("<", "<="):
            below = operator == "<" and not any(numbers[2:])
            upper.extend([_before(version)] if below and version[1] else [])
            upper.extend([version] if not below else [])
        elif operator != "!=" and (operator or bare_is_exact):
            lower.append(version)
    if lower:
        return max(lower)
    return min(upper, default=None)


def _before(version: tuple[int, int]) -> tuple[int, int]:
    return version[0], version[1] - 1
