"""Which findings are new beside those that are known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tfxla_lint.baseline import Baseline, BaselineError
from tfxla_lint.fingerprints import Fingerprint

STEP = Fingerprint("a.py", "TXL102", "train", "for x in data:")


def new(known: list[Fingerprint], found: list[Fingerprint], stale: bool = False) -> list[int]:
    return Baseline.of(known).new_among(found, lambda path: stale)[0]


def test_known_findings_are_counted() -> None:
    assert new([STEP, STEP], [STEP, STEP, STEP]) == [2]
    assert new([STEP], [STEP._replace(rule="TXL104")]) == [0]


def test_a_statement_may_go_to_another_function_of_its_file() -> None:
    moved = STEP._replace(scope="fit")
    assert new([STEP], [moved]) == []
    assert new([STEP], [moved, STEP]) == [0], "the one that stayed is the known one"


def test_a_statement_may_go_to_another_file_if_it_is_gone_from_the_first() -> None:
    moved = STEP._replace(path="b.py")
    assert new([STEP], [moved], stale=True) == []
    assert new([STEP], [moved], stale=False) == [0]


def test_a_renamed_file_goes_before_a_copy_of_it() -> None:
    copy, renamed = STEP._replace(path="a/copy.py"), STEP._replace(path="b/new.py")
    assert new([STEP._replace(path="b/old.py")], [copy, renamed], stale=True) == [0]
    other = renamed._replace(scope="fit")
    assert new([STEP._replace(path="b/old.py")], [copy, other], stale=True) == [0]


def test_what_is_no_more_is_counted_where_its_file_was_looked_at() -> None:
    other = STEP._replace(path="unseen.py")
    assert Baseline.of([STEP, other]).new_among([], lambda path: path == "a.py") == ([], 1)


def test_the_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    odd = Fingerprint("caf\u00e9/\udcff.py", "TXL501", "", 'x="\u65e5"')
    baseline = Baseline.of([STEP, STEP, odd])
    path = tmp_path / "baseline.json"
    path.write_text(baseline.as_text(), "ascii")
    assert Baseline.read(path) == baseline
    assert baseline.as_text().count("\n") == 7, "a line for each, for merges"
    path.write_text(Baseline().as_text())
    assert Baseline.read(path) == Baseline()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no baseline"),
        ("[]", "no baseline"),
        ('{"version": 1, "findings": [{"path": 1}]}', "no baseline"),
        ('{"version": 9, "findings": []}', "version 9"),
        ("[" * 100_000, "no baseline"),
    ],
)
def test_what_is_no_baseline_is_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "baseline.json"
    path.write_text(text)
    with pytest.raises(BaselineError, match=words):
        Baseline.read(path)
    with pytest.raises(BaselineError, match="cannot read"):
        Baseline.read(tmp_path / "missing.json")


def test_writing_again_keeps_what_was_not_looked_at() -> None:
    other = STEP._replace(path="unseen.py")
    found = STEP._replace(rule="TXL104")
    before = Baseline.of([STEP, other])
    assert before.updated(Baseline.of([found]), lambda p: p == "a.py") == Baseline.of(
        [other, found]
    )


def test_a_count_without_end_takes_no_memory() -> None:
    known = Baseline(Counter({STEP: 10**30}))
    assert known.new_among([STEP, STEP]) == ([], 0)
    assert known.new_among([STEP], lambda path: True) == ([], 10**30 - 1)
