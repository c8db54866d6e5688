"""A module imports only from its own room and from rooms below it."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tfxla_lint.registry import REFUTED_FIX, SYNTAX_ERROR, UNCHECKED, UNUSED_SUPPRESSION

ROOT = Path(__file__).parent.parent

#: The rooms from the cellar to the roof; those in one row do not import each other.
ROOMS: list[list[str]] = [
    ["__init__"],
    ["chains"],
    ["budgets", "deferred", "depth", "differences", "digests", "identity", "regular", "tests_held"],
    ["cells", "contents"],
    [
        "findings",
        "interrupts",
        "isolation",
        "knowledge",
        "project",
        "recording",
        "sandbox",
    ],
    ["settings"],
    ["source", "edits", "workers", "repository"],
    ["notebooks", "work"],
    ["writing", "discovery", "suppressions", "outline"],
    ["fingerprints", "disk"],
    ["baseline"],
    ["semantics"],
    ["rule"],
    ["rewriting", "evidence"],
    ["rules"],
    ["registry"],
    ["needs", "unused", "precedence", "links", "outsiders"],
    ["worlds", "neighbourhood"],
    ["linter"],
    ["noqa", "fixing", "planning", "profile"],
    ["verify"],
    ["fixer", "results"],
    ["proving"],
    ["session", "cache", "explanation"],
    ["batches"],
    ["away"],
    ["runner"],
    ["reporters"],
    ["sharding"],
    ["checking"],
    ["interface"],
    ["jupyter", "server", "assistant", "flake8_plugin", "testing"],
    ["cli"],
    ["__main__"],
]
RANKS = {room: rank for rank, row in enumerate(ROOMS) for room in row}
#: The inner rooms of `semantics`; each may ask those before it. What all rest on stands beside them.
QUESTIONS: list[list[str]] = [
    ["kinds"],
    ["flow"],
    ["symbols", "tracing"],
    ["effects"],
    ["varying"],
    ["safety"],
    ["repeated"],
    ["pipelines"],
    ["retracing"],
    ["xla"],
    ["cost"],
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


#: The folder of a family that holds what several of its rules ask, and no other's.
SHARED = "shared"


def beside(path: Path, node: ast.ImportFrom) -> Path | None:
    """The module that a rule imports relatively, if that is one it may: beside it, or shared."""
    if not path.is_relative_to(ROOT / "rules") or node.module is None:
        return None
    target = path.parents[node.level - 1] / f"{node.module.replace('.', '/')}.py"
    family = ROOT.joinpath(*path.relative_to(ROOT).parts[:2])
    is_own = target.parent == path.parent != family and target.stem != "rule"
    return target if target.is_file() and (is_own or target.parent == family / SHARED) else None


@functools.cache
def import_statements(path: Path) -> tuple[ast.Import | ast.ImportFrom, ...]:
    """Those of a file, at any depth of its code."""
    tree = ast.parse(path.read_text("utf-8"))
    return tuple(n for n in ast.walk(tree) if isinstance(n, (ast.Import, ast.ImportFrom)))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The modules of this package that a file imports, at any depth of its code.

    Only rules import relatively, what lies beside them or is their family's: the import reads the
    same wherever the folder is mapped to.
    """
    for node in import_statements(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif node.level == 0:
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            target = beside(path, node)
            assert target is not None, f"{path}:{node.lineno}: not beside the rule or its family's"
            continue
        for name in names:
            assert name.split(".")[0] != "rules", f"{path}:{node.lineno}: rules is tfxla_lint.rules"
            if name.split(".")[0] == "tfxla_lint":
                yield node.lineno, name


def target_room(name: str) -> str:
    """The room that an imported name stands in; the package itself holds only its version."""
    room = room_of(name)
    return room if room in RANKS else "__init__"


def imported_modules() -> dict[str, set[str]]:
    """The modules that each module imports: in functions and for its types only, too."""
    modules = {module_of(path): path for path in FILES}
    found: dict[str, set[str]] = {}
    for module, path in modules.items():
        names = [name for _, name in imports(path)]
        for node in import_statements(path):
            if isinstance(node, ast.ImportFrom) and node.level:
                names.append(f"{module.rpartition('.')[0]}.{node.module}")
        targets = {name if name in modules else name.rpartition(".")[0] for name in names}
        found[module] = (targets & modules.keys()) - {module}
    return found


def reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """What a module imports, directly or through others."""
    found: set[str] = set()
    pending = [start]
    while pending:
        new = graph[pending.pop()] - found
        found |= new
        pending += new
    return found


def test_no_more_than_two_files_import_each_other() -> None:
    graph = imported_modules()
    below = {module: reachable(graph, module) for module in graph}
    circles = {
        tuple(sorted(other for other in below[module] if module in below[other]))
        for module in graph
        if module in below[module]
    }
    assert [circle for circle in circles if len(circle) > 2] == []


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


def test_tools_stand_without_the_tests() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "tools").rglob("*.py"))
        for node in import_statements(path)
        for name in (a.name if isinstance(node, ast.Import) else node.module for a in node.names)
        if name is not None and name.partition(".")[0] == "tests"
    ]
    assert found == []


def owner_of(module: str) -> str | None:
    """The rule, as family and name, that a module is or lies beside; the family of a shared one."""
    parts = module.split(".")
    if parts[:2] != ["tfxla_lint", "rules"] or not parts[3:]:
        return None
    return parts[2] if parts[3] == SHARED else ".".join(parts[2:4])


def owned(owner: Callable[[str], str | None]) -> dict[str, str]:
    """What in the shared rooms is asked by one owner only, directly or by what is so asked."""
    importers: dict[str, set[str]] = {}
    modules = {module_of(path): path for path in FILES}
    for module, path in modules.items():
        for _, name in imports(path):
            target = name if name in modules else name.rpartition(".")[0]
            if target != module:
                importers.setdefault(target, set()).add(module)
    shared = [m for m in modules if room_of(m) in ("semantics", "rewriting")]
    owners = {module: owner(module) for module in modules}
    is_growing = True
    while is_growing:
        is_growing = False
        for module in shared:
            asking = {owners[importer] for importer in importers.get(module, ())}
            if owners[module] is None and len(asking) == 1 and None not in asking:
                owners[module] = asking.pop()
                is_growing = True
    return {module: found for module in shared if (found := owners[module])}


def test_what_only_one_rule_asks_lies_beside_it() -> None:
    assert owned(owner_of) == {}


def test_what_only_one_family_asks_lies_in_its_folder() -> None:
    assert owned(lambda module: (owner_of(module) or "").partition(".")[0] or None) == {}


def test_what_a_family_shares_is_asked_by_several_of_its_rules() -> None:
    asking: dict[Path, set[str]] = {p: set() for p in FILES if p.parent.name == SHARED}
    for path in FILES:
        for node in import_statements(path):
            target = beside(path, node) if isinstance(node, ast.ImportFrom) and node.level else None
            if target in asking:
                asking[target].add(owner_of(module_of(path)) or "")
    only_one = {
        str(path.relative_to(ROOT)): rules
        for path, rules in asking.items()
        if path.stem != "__init__" and len(rules) < 2 and path.parents[1].name not in rules
    }
    assert only_one == {}


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
OWN_CODES = {SYNTAX_ERROR, UNUSED_SUPPRESSION, REFUTED_FIX, UNCHECKED}


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The string literals of a file that do something: no docstrings, no examples in help texts."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Expr):
            skipped.add(id(node.value))
        if isinstance(node, ast.keyword) and node.arg in ("help", "common", "examples"):
            skipped |= {id(inner) for inner in ast.walk(node.value)}
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


def test_codes_in_texts_are_seen() -> None:
    rule = ROOT / "rules" / "eager" / "missing_tf_function" / "rule.py"
    assert "TXL101" in {text for _, text in texts(rule)}


#: Where a limit of depth stands: in the walk that follows values, and in what interprets code.
LIMITS = {"tfxla_lint/semantics/flow/origins.py", "tfxla_lint/semantics/kinds/evaluator.py"}


def test_no_question_has_a_limit_of_depth_of_its_own() -> None:
    limit = re.compile(r"^_[\w, ]*(DEPTH|DEEPEST)\b.*=|\bdepth: int\b", re.MULTILINE)
    asking = [path for path in FILES if room_of(module_of(path)) in ("semantics", "rules")]
    found = {str(p.relative_to(ROOT)) for p in asking if limit.search(p.read_text("utf-8"))}
    assert found == LIMITS


def test_what_follows_values_keeps_no_way_of_its_own() -> None:
    """No list of where it has been, and no taking of all bindings for those that reach a read."""
    own_way = re.compile(
        r"\b(seen|visited)\b[^\n]*(: (set|frozenset)\b|= (set|frozenset)\b)|\.lookup\(|"
        r"\bscope\.bindings\b",
    )
    asking = [
        path
        for path in FILES
        if room_of(module_of(path)) in ("semantics", "rules")
        and "flow.origins import" in path.read_text("utf-8")
    ]
    assert asking
    for path in asking:
        for line, text in enumerate(path.read_text("utf-8").splitlines(), 1):
            assert not own_way.search(text), f"{path}:{line}: asked of the walk, or of what reaches"
