"""Many findings of one kind are one line of a report; the project decides what is TensorFlow 1."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tfxla_lint.cli import main

OLD = """import tensorflow as tf


def entropy(p):
    return -tf.reduce_sum(p * tf.log(p)) / tf.log(2.0)


def gap(p, q):
    return tf.reduce_mean(tf.log(p) - tf.log(q), keep_dims=True)
"""
GRAPH = """import tensorflow as tf

x = tf.placeholder(tf.float32)
y = tf.reduce_sum(x)
with tf.Session() as session:
    print(session.run(y, feed_dict={x: 1.0}))
"""


@pytest.fixture(autouse=True)
def inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "setup.cfg").write_text("")


def run(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit):
        main(("--isolated", "-j", "1", *arguments))
    return capfd.readouterr().out


def concise(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return run(capfd, "--output-format", "concise", *arguments, ".").splitlines()


def test_many_names_of_a_file_are_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    names, argument, summary = concise(capfd)
    assert names == (
        "a.py:5:31: error TXL503 tf1-only-symbol: 4 uses of TensorFlow 1; the first: `tf.log` is "
        "TensorFlow 1; TensorFlow 2 calls it `tf.math.log`"
    )
    assert argument.startswith("a.py:9:50: error TXL502 unknown-argument: ")
    assert summary.startswith("Found 5 findings. 3 more with -v.")


def test_verbose_lists_each(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    lines = concise(capfd, "-v")
    assert sum("TXL503" in line for line in lines) == 4
    assert lines[-1].startswith("Found 5 findings. 5 fixable")


def test_programs_get_the_count(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    document = json.loads(run(capfd, "--output-format", "json", "."))
    assert [(f["code"], f["count"], f["fix"] is None) for f in document["findings"]] == [
        ("TXL503", 4, True),
        ("TXL502", 1, False),
    ]
    assert (document["summary"]["findings"], document["summary"]["listed"]) == (5, 2)
    assert document["summary"]["fixable"] == {"safe": 0, "unsafe": 5, "display": 0}
    sarif = json.loads(run(capfd, "--output-format", "sarif", "."))
    first, second = sarif["runs"][0]["results"]
    assert first["occurrenceCount"] == 4
    assert "occurrenceCount" not in second
    assert run(capfd, "--output-format", "github", ".").count("::error") == 2
    assert len(json.loads(run(capfd, "--output-format", "gitlab", "."))) == 2
    everything = json.loads(run(capfd, "-v", "--output-format", "json", "."))
    assert [f["count"] for f in everything["findings"]] == [1] * 5


def test_statistics_count_every_finding(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    assert "4  TXL503" in run(capfd, "--statistics", ".")


def test_fixes_of_gathered_findings_all_apply(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    out = run(capfd, "--fix", "--unsafe-fixes", "--output-format", "concise", ".")
    assert out == "Found 5 findings (5 fixed, 0 remaining).\n"
    assert Path("a.py").read_text() == OLD.replace("tf.log", "tf.math.log").replace(
        "keep_dims", "keepdims"
    )


def test_every_finding_can_be_silenced(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(OLD)
    run(capfd, "--add-noqa", ".")
    assert Path("a.py").read_text().count("# noqa: TXL") == 2
    assert concise(capfd) == ["No findings in 1 file."]


def test_a_project_that_pins_tensorflow_1_gets_one_note(capfd: pytest.CaptureFixture[str]) -> None:
    Path("requirements.txt").write_text("tensorflow-gpu>=1.13,<2\n")
    for name in ("a.py", "b.py", "c.py"):
        Path(name).write_text(OLD)
    (note, _) = concise(capfd)
    assert note == (
        "a.py:1:1: note TXL506 tensorflow-1-file: 3 files of TensorFlow 1; the first: the project "
        "requires TensorFlow 1.13, so findings about TensorFlow 2 code are withheld"
    )


def test_each_project_of_a_run_gets_its_note(capfd: pytest.CaptureFixture[str]) -> None:
    for folder in ("one", "two"):
        Path(folder).mkdir()
        Path(folder, "setup.py").write_text("setup(install_requires=['tensorflow==1.15'])\n")
        for name in ("a.py", "b.py"):
            Path(folder, name).write_text(OLD)
    assert [line.split(":")[0] for line in concise(capfd)[:-1]] == ["one/a.py", "two/a.py"]


def test_what_goes_with_files_of_tensorflow_1_is_of_it_too(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("a.py").write_text(GRAPH + "from helpers import entropy\n")
    Path("b.py").write_text(GRAPH + "from helpers import gap\n")
    Path("helpers.py").write_text(OLD)
    assert [line.split(" ")[2] for line in concise(capfd)[:-1]] == ["TXL506"]
    assert (
        "this file, like most that it is used with, is TensorFlow 1 (`tf.log` and 3 more)"
        in run(capfd, "-v", "--output-format", "concise", "helpers.py")
    )


def test_what_goes_with_one_file_of_tensorflow_1_is_not(capfd: pytest.CaptureFixture[str]) -> None:
    Path("a.py").write_text(GRAPH + "from helpers import entropy\n")
    Path("b.py").write_text("import tensorflow as tf\nimport helpers\n\nprint(tf.ones(2))\n")
    Path("helpers.py").write_text(OLD)
    assert [line.split(" ")[2] for line in concise(capfd)[:-1]] == ["TXL506", "TXL503", "TXL502"]


def test_a_name_that_another_file_assigns_is_known(capfd: pytest.CaptureFixture[str]) -> None:
    Path("patch.py").write_text("import tensorflow as tf\n\ntf.log = tf.math.log\n")
    Path("a.py").write_text("import patch\n" + OLD.replace(", keep_dims=True", ""))
    assert concise(capfd) == ["No findings in 2 files."]
    Path("a.py").write_text(OLD.replace(", keep_dims=True", ""))
    assert concise(capfd) == ["No findings in 2 files."]
    Path("patch.py").write_text("import tensorflow as tf\n\ntf.logs = tf.math.log\n")
    assert len(concise(capfd)) == 2
