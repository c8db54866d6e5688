"""Which tool it is that a result was found by."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.fake_rules import fake_catalogue
from tfxla_lint import registry
from tfxla_lint.cache import tool
from tfxla_lint.cache.store import Store
from tfxla_lint.registry import Catalogue, read_catalogue


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for that of the rules."""
    folder = tmp_path / "rules"
    (folder / "eager").mkdir(parents=True)
    (folder / "eager" / "one.py").write_text("x = 1\n")
    (folder / "table.json").write_text("[]")
    monkeypatch.setattr(tool, "rule_folders", lambda: [str(folder)])
    monkeypatch.setattr(registry, "_adopted", [])
    return folder


def test_the_catalogue_is_read_once(tmp_path: Path, rules: Path) -> None:
    calls: list[int] = []

    def read() -> Catalogue:
        calls.append(1)
        return read_catalogue()

    name, first = tool.known_tool(Store(tmp_path / "cache"), read)
    again, second = tool.known_tool(Store(tmp_path / "cache"), read)
    assert (len(calls), name) == (1, again)
    assert second.rules == first.rules
    assert read_catalogue() is second


@pytest.mark.parametrize("change", ["text", "new", "gone", "renamed", "data"])
def test_every_file_of_the_tool_counts(tmp_path: Path, rules: Path, change: str) -> None:
    store = Store(tmp_path / "cache")
    before = tool.known_tool(store, read_catalogue)[0]
    one = rules / "eager" / "one.py"
    match change:
        case "text":
            one.write_text("x = 2\n")
        case "new":
            (rules / "eager" / "two.py").write_text("")
        case "gone":
            one.unlink()
        case "renamed":
            one.rename(rules / "eager" / "two.py")
        case "data":
            (rules / "table.json").write_text("{}")
    assert tool.known_tool(store, read_catalogue)[0] != before


def test_the_same_contents_are_the_same_tool(tmp_path: Path, rules: Path) -> None:
    before = tool.known_tool(Store(tmp_path / "cache"), read_catalogue)[0]
    os.utime(rules / "eager" / "one.py", (0, 0))
    assert tool.known_tool(Store(tmp_path / "cache"), read_catalogue)[0] == before


def test_rules_of_plug_ins_are_read_each_time(tmp_path: Path, rules: Path) -> None:
    calls: list[int] = []

    def read() -> Catalogue:
        calls.append(1)
        return fake_catalogue()

    for _ in range(2):
        tool.known_tool(Store(tmp_path / "cache"), read)
    assert len(calls) == 2
