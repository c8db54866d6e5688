"""The shape and the weight of the data files, and how little of them a question reads."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from tfxla_lint.knowledge import ops, symbols, tables, xla
from tfxla_lint.knowledge.parameters import parse

FILES = sorted(tables.FOLDER.glob("*.json"))
NAMES = ("api", "keras", "compat_v1", "raw_ops")
MOST_BYTES = 2_000_000


def entries(name: str) -> dict[str, Any]:
    return dict(tables.load(name)["symbols"])


def records(entry: Any) -> list[Any]:
    return [value for _, value in tables.variants(entry)]


def test_all_files_together_stay_small() -> None:
    assert sum(path.stat().st_size for path in FILES) < MOST_BYTES


def test_covered_versions() -> None:
    assert tables.covered() == ((2, 12), (2, 15), (2, 16), (2, 18), (2, 21))


def test_the_tables_hold_what_they_are_about() -> None:
    sizes = {table: len(entries(table)) for table in NAMES}
    assert sum(sizes.values()) > 8000
    assert min(sizes.values()) > 500
    verdicts, kernels = tables.load("xla")["endpoints"], tables.load("ops")["constants"]
    assert min(len(verdicts), len(tables.load("classes"))) > 100
    assert len(kernels) > 20


@pytest.mark.parametrize("table", NAMES)
def test_symbol_records_are_well_formed(table: str) -> None:
    for name, entry in entries(table).items():
        versions = [v for have, _ in tables.variants(entry) for v in have]
        assert versions, name
        assert len(versions) == len(set(versions)), name
        for record in records(entry):
            assert record[:1] in set("fcMxv="), (name, record)
            if record.startswith("f "):
                parse(record[2:])


@pytest.mark.parametrize("table", NAMES)
def test_other_names_point_to_something(table: str) -> None:
    for name, entry in entries(table).items():
        for versions, record in tables.variants(entry):
            if record.startswith("="):
                symbol = symbols.find(symbols.ROOT + record[1:])
                assert symbol is not None, (name, record)
                assert versions <= symbol.versions, (name, record)


def test_every_public_class_is_described() -> None:
    for table in NAMES:
        for name in entries(table):
            symbol = symbols.find(symbols.ROOT + name)
            assert symbol is not None
            if symbol.kind == "class" and symbol.class_key:
                assert symbol.class_key in tables.load(
                    "classes"
                ) or symbol.class_key in tables.load("keras_classes"), name


def test_verdicts_are_well_formed() -> None:
    allowed = set(get_args(xla.Status))
    for name, entry in tables.load("xla")["endpoints"].items():
        for record in [entry] if "status" in entry else entry.values():
            assert record["status"] in allowed, name
            if record["status"] == "unsupported":
                assert record["ops"], name
            for mode in record.get("modes", ()):
                assert mode["status"] in allowed, name


def test_unsupported_ops_are_in_the_op_table() -> None:
    special = {"_Arg", "_Retval"}
    for name, entry in tables.load("xla")["endpoints"].items():
        for record in [entry] if "status" in entry else entry.values():
            for op in record.get("ops", "").split():
                assert op in special or ops.known(op), (name, op)


def test_constant_inputs_belong_to_ops_with_a_kernel() -> None:
    for op in tables.load("ops")["constants"]:
        assert ops.has_kernel(op), op


READ_BY = """
import json, sys
from pathlib import Path
read = []
original = Path.read_bytes
Path.read_bytes = lambda self: (read.append(self.name), original(self))[1]
from tfxla_lint.knowledge import facts, near, ops, symbols, xla
at_import = list(read)
symbols.find("tensorflow.math.reduce_mean")
after_find = list(read)
xla.verdict("tensorflow.math.reduce_mean")
heavy = [m for m in ("tensorflow", "keras", "numpy", "libcst") if m in sys.modules]
print(json.dumps([at_import, after_find, read, heavy]))
"""


def test_tables_are_read_when_first_asked() -> None:
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", READ_BY], capture_output=True, text=True, check=True, cwd=root
    )
    at_import, after_find, after_verdict, heavy = json.loads(done.stdout)
    assert at_import == []
    assert set(after_find) <= {"versions.json", "api.json"}
    assert set(after_verdict) <= {"versions.json", "api.json", "xla.json"}
    assert heavy == []


def test_a_question_reads_at_most_half_a_megabyte() -> None:
    """Finding one name reads one file; a file stays below what takes some milliseconds."""
    assert max(path.stat().st_size for path in FILES) < 500_000
