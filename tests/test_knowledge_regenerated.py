"""Harvests a sample from the installed TensorFlow and compares it with the shipped tables."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tfxla_lint.knowledge import symbols, tables, xla
from tfxla_lint.sandbox import jobs

if importlib.util.find_spec("tensorflow") is None:
    pytest.skip("TensorFlow is not installed: nothing to harvest from", allow_module_level=True)

from tools.harvest import behaviour_table, op_tables, pool, symbol_tables, verdict_table

SAMPLE = [
    "boolean_mask",
    "gather",
    "image.resize",
    "keras.layers.Dense",
    "keras.ops.det",
    "linalg.det",
    "math.reduce_mean",
    "math.reduce_max",
    "random.uniform",
    "reshape",
    "strings.length",
    "debugging.assert_equal",
]


def installed() -> tuple[int, int]:
    for name in ("tensorflow-cpu", "tensorflow"):
        try:
            return tables.parse_version(importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            continue
    return (0, 0)


VERSION = installed()

pytestmark = pytest.mark.skipif(
    VERSION not in tables.covered(),
    reason=f"the installed TensorFlow {VERSION} is not one that the tables cover",
)


@pytest.fixture(scope="module")
def prober() -> Iterator[jobs.Worker]:
    """One process for all that is probed."""
    with pool.prober(sys.executable) as worker:
        yield worker


@pytest.fixture(scope="module")
def raw(prober: jobs.Worker, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the inventory, the kernels and the verdicts of the sample."""
    folder = tmp_path_factory.mktemp("raw")
    pool.run_module(sys.executable, "inventory", str(folder / "symbols.json"))
    kernels = pool.record_of(prober, {"task": "kernels", "name": "all"})
    (folder / "kernels.json").write_text(json.dumps(kernels), encoding="utf-8")
    constants = folder / "constants.json"
    constants.write_text(json.dumps(tables.load("ops")["constants"]), encoding="utf-8")
    job = {"task": "verdicts", "inventory": str(folder / "symbols.json")}
    job |= {name: str(folder / f"{name}.json") for name in ("kernels", "constants")}
    pool.run(prober, job, SAMPLE, folder / "verdicts.jsonl")
    return folder


BEHAVIOUR = [
    "cast",
    "debugging.assert_equal",
    "keras.ops.shape",
    "linalg.svd",
    "math.is_nan",
    "math.square",
    "meshgrid",
    "size",
]


def test_behaviour_is_the_same(raw: Path, prober: jobs.Worker) -> None:
    job = {"task": "behaviour", "inventory": str(raw / "symbols.json")}
    job |= {name: str(raw / f"{name}.json") for name in ("kernels", "constants")}
    pool.run(prober, job, BEHAVIOUR, raw / "behaviour.jsonl")
    lines = (raw / "behaviour.jsonl").read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [r["name"] for r in records if "failed" not in r] == BEHAVIOUR
    assert list(behaviour_table.disagreements(records)) == []
    by_name = {record["name"]: record for record in records}
    assert by_name["linalg.svd"]["count"] == 3
    assert by_name["keras.ops.shape"]["result"] == "host"
    assert by_name["math.square"]["same_shape"]
    assert by_name["math.is_nan"]["dtype"] == "bool"


@pytest.fixture(scope="module")
def inventory(raw: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((raw / "symbols.json").read_text(encoding="utf-8"))
    return found


def test_names_are_the_same(inventory: dict[str, Any]) -> None:
    """Every harvested name is in the tables; the summary package needs TensorBoard, so not back."""
    walked = [n for n in inventory["symbols"] if not n.startswith(symbol_tables.STANDALONE)]
    assert len(walked) > 8000
    absent = [n for n in walked if not symbols.exists(symbols.ROOT + n, VERSION)]
    assert absent == []


def test_parameters_are_the_same(inventory: dict[str, Any]) -> None:
    keys = symbol_tables.class_keys(inventory)
    for name in ("function", "math.reduce_mean", "nn.conv2d", "keras.ops.einsum", "while_loop"):
        harvested = symbol_tables.symbol_record(name, inventory["symbols"][name], keys)
        shipped = tables.at(tables.load(table_of(name))["symbols"][name], VERSION)
        assert harvested == shipped


def table_of(name: str) -> str:
    return symbol_tables.table_of(name)


def test_classes_are_the_same(inventory: dict[str, Any]) -> None:
    keys = symbol_tables.class_keys(inventory)
    places = {key: place for place, key in keys.items()}
    for key in ("Variable", "data.Dataset", "TensorArray"):
        harvested = symbol_tables.class_record(inventory["classes"][places[key]], keys)
        shipped = tables.load("classes")[key]
        for member, text in harvested.items():
            assert tables.at(shipped[member], VERSION) == text, (key, member)


def test_kernels_are_the_same(raw: Path) -> None:
    from tfxla_lint.knowledge import ops

    kernels = json.loads((raw / "kernels.json").read_text(encoding="utf-8"))
    for op in kernels["ops"]:
        expected = op in kernels["kernels"]["CPU"]
        assert ops.has_kernel(op, "CPU", VERSION) is expected, op
    assert op_tables.NO_KERNEL == "-"


@pytest.mark.parametrize("name", SAMPLE)
def test_verdicts_are_the_same(raw: Path, name: str) -> None:
    record = verdict_table.read(raw / "verdicts.jsonl")[name]
    harvested = verdict_table.classify(name, record)
    assert harvested is not None, record
    shipped = xla.verdict(symbols.ROOT + name, VERSION)
    assert shipped is not None
    assert shipped.status == harvested["status"]
    assert " ".join(shipped.ops) == harvested.get("ops", "")
    assert set(shipped.const_args) == set(harvested.get("const", {}))
