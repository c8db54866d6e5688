"""The table of behaviour: well formed, complete over the spellings of a name, and the only one."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest

from tfxla_lint.knowledge import behaviour, symbols, tables
from tfxla_lint.knowledge.behaviour import Dtype, Effect, Runs, Shape, Trait, Word
from tfxla_lint.semantics import api
from tfxla_lint.semantics.values import Kind
from tools.harvest import behaviour_table

ROOT = Path(__file__).parent.parent
LINES = (tables.FOLDER / "behaviour.json").read_text(encoding="utf-8").splitlines()
COLUMNS = [
    "result",
    "of",
    "count",
    "shape",
    "dtype",
    "effect",
    "runs",
    "callables",
    "autograph",
    "is",
    "at",
    "instead",
    "smooth",
    "static",
]
#: How many tables of three or more strings the package has in code: what the table of behaviour
#: cannot say. It may only shrink: most of what is left is no behaviour (settings, verification).
MOST_TABLES = 60
NAMES = list(behaviour.rows())
OF_TENSORFLOW = [n for n in NAMES if n.startswith("tensorflow.") and n[-1] != "*"]


def test_each_name_has_one_row_and_the_rows_are_sorted() -> None:
    written = [line.split('"')[1] for line in LINES[1:-1]]
    assert written == sorted(set(written))


def test_rows_say_something_in_known_columns() -> None:
    for name, record in tables.load("behaviour").items():
        assert record, name
        assert list(record) == [column for column in COLUMNS if column in record], name
        assert record.get("effect", "x") == " ".join(sorted(record.get("effect", "x").split()))
        assert record.get("is", "x") == " ".join(sorted(record.get("is", "x").split()))


def test_what_has_to_be_static_is_a_parameter() -> None:
    for name, row in behaviour.rows().items():
        symbol = symbols.find(name) if row.static - {"*"} else None
        known = {p.name for p in (symbol.params if symbol is not None else None) or ()}
        assert {word.rstrip("?").removesuffix("[]") for word in row.static - {"*"}} <= known, name


def test_results_are_kinds_that_the_model_knows() -> None:
    kinds = {kind.name.lower() for kind in Kind} | {"structure"}
    for name, row in behaviour.rows().items():
        assert row.result is None or row.result in kinds, name
        assert row.of is None or row.of in kinds, name


@pytest.mark.parametrize("name", OF_TENSORFLOW)
def test_names_of_tensorflow_exist(name: str) -> None:
    """In one of the covered versions, or in the part of version 1 that these still have."""
    old = name.replace("tensorflow.", "tensorflow.compat.v1.", 1)
    home, _, last = name.rpartition(".")
    is_special = last.startswith("__") and symbols.exists(home)
    assert symbols.exists(name) or symbols.exists(old) or is_special or ".__internal__." in name


def test_the_spellings_of_a_name_have_the_same_row() -> None:
    spellings = defaultdict(set)
    for name in symbols.names():
        symbol = symbols.find(name)
        if symbol is not None and not name.startswith("tensorflow.compat.v1."):
            spellings[symbol.canonical].add(name)
    for names in spellings.values():
        rows = {repr(behaviour.of(name)): name for name in names}
        assert len(rows) == 1, sorted(rows.values())


def test_every_word_is_used() -> None:
    used = {word for row in behaviour.rows().values() for word in row.words}
    assert {word for kind in (Shape, Dtype, Effect, Runs, Trait) for word in kind} <= used


def test_an_unknown_word_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "load", lambda name: {"tensorflow.abs": {"is": "elemntwise"}})
    with pytest.raises(ValueError, match="elemntwise"):
        behaviour.rows.__wrapped__()


def test_what_changes_a_container_is_one_list() -> None:
    methods = behaviour.methods(Effect.MUTATES)
    assert {"insert", "sort", "reverse", "setdefault", "append", "popitem"} <= methods
    assert not methods & {"index", "count", "copy", "items", "get"}


def test_a_backend_function_that_computes_nothing_is_no_operation() -> None:
    for name in ("backend", "floatx", "image_data_format", "clear_session"):
        assert not api.is_op(f"tensorflow.keras.backend.{name}"), name
    assert api.is_op("tensorflow.keras.backend.dot")
    assert not api.is_op("tensorflow.keras.ops.shape")
    assert api.is_op("tensorflow.print"), "an operation that gives nothing"


#: Words that hold of nearly the same names, and yet say different things.
DIFFERENT: set[frozenset[Word]] = {frozenset({Trait.EVEN, Trait.BENDS})}


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """The part of two sets that both have."""
    return len(left & right) / len(left | right)


def test_no_two_words_say_the_same() -> None:
    named: dict[Word, set[str]] = defaultdict(set)
    for name, row in behaviour.rows().items():
        for word in row.words:
            named[word].add(name)
    sets = {
        w: frozenset(n) for w, n in named.items() if len(n) > 2 and isinstance(w, (Effect, Trait))
    }
    found = {frozenset({a, b}) for a, b in combinations(sets, 2) if overlap(sets[a], sets[b]) > 0.5}
    assert found == DIFFERENT


def strings(node: ast.expr) -> frozenset[str]:
    nodes = (n for n in ast.walk(node) if isinstance(n, ast.Constant))
    return frozenset(n.value for n in nodes if isinstance(n.value, str))


def name_tables(folder: str) -> Iterator[tuple[str, frozenset[str]]]:
    """The module-level tables of three or more strings, with those."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                found = [n for n in ast.walk(node.value) if isinstance(n, ast.Constant)]
                if sum(isinstance(n.value, str) for n in found) >= 3:
                    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                    yield f"{path.relative_to(ROOT)}: {ast.unparse(target)}", strings(node.value)


def test_word_lists_in_code_are_the_exception() -> None:
    assert len(list(name_tables("tfxla_lint"))) <= MOST_TABLES


#: Modules that stand alone, in a process that has no other module of the package.
ALONE = (
    "tfxla_lint/sandbox/inside/",
    "tfxla_lint/verify/worker/",
    "tfxla_lint/profile/recorder/",
)


def test_no_two_name_tables_overlap_by_more_than_half() -> None:
    found = [
        (place, names)
        for folder in ("tfxla_lint", "rules")
        for place, names in name_tables(folder)
        if not place.startswith(ALONE)
    ]
    pairs = [(a, b) for (a, x), (b, y) in combinations(found, 2) if x and y and overlap(x, y) > 0.5]
    assert pairs == []


def test_the_file_is_what_it_holds() -> None:
    assert "\n".join(LINES) + "\n" == behaviour_table.write(tables.load("behaviour"))
