"""A module imports only from its own room and from rooms below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

#: The rooms from the cellar to the roof; those in one row do not import each other.
ROOMS: list[list[str]] = [
    ["__init__"],
    ["findings", "interrupts", "isolation", "knowledge", "settings", "project", "recording"],
    ["source", "edits", "workers"],
    ["writing", "discovery", "suppressions", "precedence"],
    ["semantics"],
    ["rule"],
    ["rewriting", "evidence"],
    ["rules"],
    ["registry"],
    ["unused"],
    ["worlds", "neighbourhood"],
    ["linter"],
    ["noqa", "fixing", "planning", "profile"],
    ["verify"],
    ["fixer", "results"],
    ["proving"],
    ["session"],
    ["runner"],
    ["reporters"],
    ["cli"],
    ["__main__"],
]
RANKS = {room: rank for rank, row in enumerate(ROOMS) for room in row}
#: The inner rooms of `semantics`; each may ask those before it. What all rest on stands beside them.
QUESTIONS: list[list[str]] = [
    ["kinds", "symbols", "tracing"],
    ["autograph"],
    ["safety"],
    ["repeated"],
    ["gradients", "pipelines"],
    ["retracing"],
    ["xla"],
    ["keras", "recorded"],
]
INNER_RANKS = {room: rank for rank, row in enumerate(QUESTIONS) for room in row}
FILES = [
    *sorted((ROOT / "tfxla_lint").rglob("*.py")),
    *sorted((ROOT / "rules").rglob("*.py")),
]


def module_of(path: Path) -> str:
    """The dotted name under which a file is imported."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    if parts[0] == "rules":
        parts = ("tfxla_lint", *parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room that a module stands in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of this package that a file imports, at any depth of its code."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            raise AssertionError(f"{path}:{node.lineno}: a relative import")
        else:
            continue
        for name in names:
            if name.split(".")[0] == "tfxla_lint":
                yield node.lineno, name


def target_room(name: str) -> str:
    """The room that an imported name stands in; the package itself holds only its version."""
    room = room_of(name)
    return room if room in RANKS else "__init__"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_import_leads_upwards(path: Path) -> None:
    here = room_of(module_of(path))
    assert here in RANKS, f"give the room '{here}' a place in ROOMS"
    for line, name in imports(path):
        there = target_room(name)
        if here == "rules":
            assert there != "rules", f"{path}:{line}: a rule imports the rule {name}"
        elif there != here:
            assert there != "rules", f"{path}:{line}: rules are loaded by the registry only"
            upwards = f"{path}:{line}: {here} imports {name}"
            assert RANKS[there] < RANKS[here], upwards


def test_every_room_exists() -> None:
    found = {room_of(module_of(path)) for path in FILES}
    assert found == set(RANKS)


def inner_room_of(module: str) -> str | None:
    """The room of `semantics` that a module stands in, None for what all of them rest on."""
    parts = module.split(".")
    return parts[2] if len(parts) > 3 and parts[:2] == ["tfxla_lint", "semantics"] else None


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "tfxla_lint" / "semantics").glob("*/*.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_questions_are_asked_one_way(path: Path) -> None:
    here = path.parent.name
    assert here in INNER_RANKS, f"give the room '{here}' a place in QUESTIONS"
    for line, name in imports(path):
        there = inner_room_of(name)
        if there in INNER_RANKS and there != here:
            upwards = f"{path}:{line}: {here} asks {name}"
            assert INNER_RANKS[there] < INNER_RANKS[here], upwards
