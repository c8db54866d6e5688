"""The command `report`: what stands in its tree and on its page."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tfxla_lint.cli.group import cli

TRAIN = """\
import tensorflow as tf

from steps import update

data = tf.data.Dataset.from_tensor_slices(tf.ones([64, 4]))
optimizer = tf.keras.optimizers.Adam(0.1)


@tf.function
def followed(x):
    return tf.reduce_sum(x)


def show(x):
    model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
    for number in range(30):
        tf.print(model(x))


for epoch in range(5):
    for x in data:
        update(x)
        followed(x)
show(tf.ones([1, 4]))
"""
STEPS = """\
import tensorflow as tf

w = tf.Variable(tf.ones([4]))
seen = []


def update(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(w - x))
    seen.append(float(loss))
    w.assign_sub(0.1 * tape.gradient(loss, w))
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.py").write_text(TRAIN)
    (tmp_path / "steps.py").write_text(STEPS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TFXLA_LINT_NO_CACHE", "1")
    return tmp_path


def report(*arguments: str) -> Result:
    result = CliRunner().invoke(cli, ["report", "--isolated", *arguments], standalone_mode=False)
    assert result.exception is None
    return result


def test_the_tree_shows_what_runs_a_finding_how_often(project: Path) -> None:
    text = report().output
    tree = text.partition("Hot loops\n")[2]
    lines = [line.strip() for line in tree.splitlines()]
    first = lines.index("train.py")
    assert lines[first + 1] == "for epoch in range(5):  line 20, 5 turns"
    assert lines[first + 2] == "for x in data:  line 21, 64 turns"
    assert lines[first + 3] == "traced already: followed"
    assert lines[first + 4] == "TXL101 missing-tf-function  line 7, eager"
    assert re.match(r"about \d+ us of dispatch on each of 320 turns: \d+ ms;", lines[first + 5])
    assert "for number in range(30):  line 16, 30 turns" in lines


def test_the_dearest_stand_first_with_what_is_in_the_way_and_the_sum_last(project: Path) -> None:
    text = report().output
    top = text.partition("Hot loops\n")[0]
    found = re.findall(r"^(\d)\. (TXL\d+)", top, re.MULTILINE)
    assert found == [("1", "TXL101"), ("2", "TXL110")]
    assert "in the way: steps.py:10:" in top
    last = text.strip().splitlines()[-1]
    assert re.fullmatch(r"Mending all 2 saves about \d+ ms a run\.", last)


def test_the_sum_says_of_how_many_findings_it_is_one(project: Path) -> None:
    source = (project / "train.py").read_text()
    (project / "train.py").write_text(source.replace("range(5)", "range(int(input()))"))
    last = report().output.strip().splitlines()[-1]
    assert re.fullmatch(
        r"Mending 1 of 2 findings saves about \d+ ms a run; how often the other one may run, or how "
        r"long kernels take there, is not known\.",
        last,
    )


def test_a_file_that_lies_there_twice_is_named_once_ahead_of_the_tree(project: Path) -> None:
    (project / "old").mkdir()
    for name in ("train.py", "steps.py"):
        (project / "old" / name).write_text((project / name).read_text())
    top = report().output.partition("Hot loops\n")[0]
    assert re.findall(r"^\d\. (TXL\d+)", top, re.MULTILINE) == ["TXL101", "TXL110"]
    assert top.count("the same in 1 file of this name elsewhere") == 2


def test_a_project_without_hot_loops_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import tensorflow as tf\n\nprint(tf.ones([2]))\n")
    result = report(str(tmp_path))
    assert (result.output, result.return_value) == ("No hot loop runs what has a price.\n", 0)


def test_a_missing_path_fails(project: Path) -> None:
    result = report("nowhere.py")
    assert result.return_value == 2


class Page(HTMLParser):
    """The tags of a page, and the text between them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_loads_nothing_runs_nothing_and_leads_to_its_own_places(project: Path) -> None:
    report("--html", "hot.html")
    page = Page((project / "hot.html").read_text())
    policy = next(a["content"] for tag, a in page.tags if a.get("http-equiv"))
    assert (policy or "").startswith("default-src 'none'; style-src 'unsafe-inline'")
    names = {tag for tag, _ in page.tags}
    assert not names & {"script", "link", "img", "iframe", "form", "object"}
    assert not any(key.startswith("on") or key == "src" for _, a in page.tags for key in a)
    anchors = {a["id"] for _, a in page.tags if "id" in a}
    inner = [a["href"] for tag, a in page.tags if tag == "a" and (a["href"] or "").startswith("#")]
    assert len(inner) == 2
    assert {(each or "")[1:] for each in inner} == anchors


def test_what_stands_in_code_is_shown_as_text(project: Path) -> None:
    mark = "<img src=x onerror=alert(1)>"
    text = TRAIN.replace("for x in data:", f'for x in data:  # {mark} "</code>')
    (project / "train.py").write_text(text)
    report("--html", "hot.html")
    page = Page((project / "hot.html").read_text())
    assert not any(tag == "img" for tag, _ in page.tags)
    assert any(mark in each for each in page.texts)
