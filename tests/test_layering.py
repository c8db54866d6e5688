"""A module imports only from its own room and from rooms below it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tfxla_lint.registry import REFUTED_FIX, SYNTAX_ERROR, UNUSED_SUPPRESSION

ROOT = Path(__file__).parent.parent

#: The rooms from the cellar to the roof; those in one row do not import each other.
ROOMS: list[list[str]] = [
    ["__init__"],
    ["digests"],
    ["findings", "interrupts", "isolation", "knowledge", "settings", "project", "recording"],
    ["source", "edits", "workers", "work"],
    ["writing", "discovery", "suppressions"],
    ["semantics"],
    ["rule"],
    ["rewriting", "evidence"],
    ["rules"],
    ["registry"],
    ["unused", "precedence"],
    ["worlds", "neighbourhood"],
    ["linter"],
    ["noqa", "fixing", "planning", "profile"],
    ["verify"],
    ["fixer", "results"],
    ["proving"],
    ["session", "cache"],
    ["runner"],
    ["reporters"],
    ["cli"],
    ["__main__"],
]
RANKS = {room: rank for rank, row in enumerate(ROOMS) for room in row}
#: The inner rooms of `semantics`; each may ask those before it. What all rest on stands beside them.
QUESTIONS: list[list[str]] = [
    ["kinds"],
    ["flow"],
    ["symbols", "tracing"],
    ["autograph"],
    ["effects"],
    ["safety"],
    ["repeated"],
    ["pipelines"],
    ["retracing"],
    ["xla"],
    ["recorded"],
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


def rule_folder_of(path: Path) -> Path | None:
    """The folder that a rule has to itself, for a module in one."""
    is_nested = path.is_relative_to(ROOT / "rules") and len(path.relative_to(ROOT).parts) == 4
    return path.parent if is_nested else None


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of this package that a file imports, at any depth of its code.

    Only a rule with a folder of its own imports relatively, what lies beside it: the import reads
    the same wherever the folder is mapped to.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            folder = rule_folder_of(path)
            assert folder is not None, f"{path}:{node.lineno}: a relative import"
            beside = folder / f"{node.module}.py"
            is_own = node.level == 1 and beside.is_file() and beside.stem != "rule"
            assert is_own, f"{path}:{node.lineno}: not a module beside the rule"
            continue
        else:
            continue
        for name in names:
            assert name.split(".")[0] != "rules", f"{path}:{node.lineno}: rules is tfxla_lint.rules"
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


def rule_of(module: str) -> str | None:
    """The rule, as family and name, that a module is or lies beside."""
    parts = module.split(".")
    return ".".join(parts[2:4]) if parts[:2] == ["tfxla_lint", "rules"] and parts[3:] else None


def test_what_only_one_rule_asks_lies_beside_it() -> None:
    importers: dict[str, set[str]] = {}
    modules = {module_of(path): path for path in FILES}
    for module, path in modules.items():
        for _, name in imports(path):
            target = name if name in modules else name.rpartition(".")[0]
            if target != module:
                importers.setdefault(target, set()).add(module)
    shared = [m for m in modules if room_of(m) in ("semantics", "rewriting")]
    owners = {module: rule_of(module) for module in modules}
    is_growing = True
    while is_growing:
        is_growing = False
        for module in shared:
            asking = {owners[importer] for importer in importers.get(module, ())}
            if owners[module] is None and len(asking) == 1 and None not in asking:
                owners[module] = asking.pop()
                is_growing = True
    assert {module: owners[module] for module in shared if owners[module]} == {}


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


#: The codes of the rules that are the tool's own work, which its core names.
OWN_CODES = {SYNTAX_ERROR, UNUSED_SUPPRESSION, REFUTED_FIX}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file that do something: no docstrings, no examples in help texts."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr) or (isinstance(node, ast.keyword) and node.arg == "help"):
            skipped.add(id(node.value))
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in skipped:
                yield node.lineno, node.value


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "tfxla_lint").rglob("*.py")),
    ids=lambda path: str(path.relative_to(ROOT)),
)
def test_the_core_names_no_rule(path: Path) -> None:
    for line, text in texts(path):
        codes = set(re.findall(r"TXL\d+", text)) - OWN_CODES
        assert not codes, f"{path}:{line}: {codes}: what holds for a rule is said by its class"


#: Where a limit of depth stands: in the walk that follows values, and in what interprets code.
LIMITS = {"tfxla_lint/semantics/flow/origins.py", "tfxla_lint/semantics/kinds/evaluator.py"}


def test_no_question_has_a_limit_of_depth_of_its_own() -> None:
    limit = re.compile(r"^_[\w, ]*(DEPTH|DEEPEST)\b.*=|\bdepth: int\b", re.MULTILINE)
    asking = [path for path in FILES if room_of(module_of(path)) in ("semantics", "rules")]
    found = {str(p.relative_to(ROOT)) for p in asking if limit.search(p.read_text("utf-8"))}
    assert found == LIMITS
