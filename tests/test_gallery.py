"""The gallery shows what the fixes do now, and opens with the case that a reader expects."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.rules.cases import CATALOGUE, fix, folder_of
from tfxla_lint.findings import Applicability
from tfxla_lint.registry import RuleInfo
from tfxla_lint.source import Source
from tools.write_gallery import pages, write

FIXABLE = [rule for rule in CATALOGUE.rules if any(folder_of(rule).glob("*_fixed.py"))]
PAIR = re.compile(
    r"^Before:\n\n```python\n(.*?)\n```\n\nAfter:\n\n```python\n(.*?)\n```$", re.M | re.S
)


@pytest.fixture(scope="module")
def gallery() -> dict[str, str]:
    return pages(CATALOGUE)


@pytest.mark.parametrize("rule", FIXABLE, ids=lambda rule: rule.code)
def test_what_stands_after_is_what_the_fix_makes_of_what_stands_before(
    rule: RuleInfo, gallery: dict[str, str]
) -> None:
    pairs = PAIR.findall(gallery[f"{rule.code}.md"])
    assert pairs
    for before, after in pairs:
        assert fix(rule, Source("example.py", f"{before}\n")).text == f"{after}\n"
        assert before != after


def test_every_rule_whose_fixes_are_applied_has_a_page(gallery: dict[str, str]) -> None:
    rules = (rule for rule in CATALOGUE.rules if set(rule.fixes) - {Applicability.DISPLAY})
    assert not {f"{rule.code}.md" for rule in rules} - set(gallery)


def test_the_index_links_every_page(gallery: dict[str, str]) -> None:
    linked = re.findall(r"\]\((.*?)\)", gallery["README.md"])
    assert sorted([*linked, "README.md"]) == sorted(gallery)


def test_a_page_opens_with_the_case_that_a_reader_expects(gallery: dict[str, str]) -> None:
    """A training loop over batches and epochs; not what comes first in the alphabet."""
    before, after = PAIR.findall(gallery["TXL102.md"])[0]
    for line in ("for epoch in range(", "in batches:", "tf.GradientTape()", "apply_gradients("):
        assert line in before
    assert re.search(r"^@tf\.function[^#]*\ndef train_step\(x, y\):$", after, re.M)


def test_pages_are_written_and_those_of_other_rules_removed(
    gallery: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "gallery"
    folder.mkdir()
    (folder / "TXL199.md").touch()
    (folder / "notes.md").touch()
    assert write(folder) == len(gallery)
    assert {path.name for path in folder.iterdir()} == {*gallery, "notes.md"}
    assert (folder / "TXL102.md").read_text("utf-8") == gallery["TXL102.md"]
