"""Notebooks are run in order, without their commands and without plots."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.notebooks.cases import NOTEBOOKS, notebook
from tfxla_lint.sandbox.limits import Limits
from tfxla_lint.verify.git import changed_pairs
from tfxla_lint.verify.pairs import Options, Pair
from tfxla_lint.verify.process import Worker
from tfxla_lint.verify.running import pair_of
from tfxla_lint.verify.verdicts import Verdict
from tfxla_lint.verify.verifier import Verifier

STEP = """\
weights = tf.Variable([1.0, 2.0])
for step in range(5):
    weights.assign_sub(0.1 * weights)
print(weights.numpy().sum())"""
FASTER = STEP.replace("for step", "@tf.function\ndef run():\n    weights.assign_sub(0.1 * weights)\n\n\nfor step").replace(
    "):\n    weights.assign_sub(0.1 * weights)\nprint", "):\n    run()\nprint"
)  # fmt: skip
WRONG = FASTER.replace("0.1", "0.2")


def judged(worker: Worker, pair: Pair) -> list[Verdict]:
    return Verifier(worker, Options(Limits(120.0, 4 << 30), measure=False)).verify(pair)


def pair(folder: Path, *cells: str) -> Pair:
    """A notebook whose last cell is STEP, and what FASTER makes of it."""
    for name, last in (("old.ipynb", STEP), ("new.ipynb", FASTER)):
        code = [*cells, last]
        (folder / name).write_bytes(notebook("import tensorflow as tf", *code))
    return pair_of(folder / "old.ipynb", folder / "new.ipynb")


FIXED = [p for p in NOTEBOOKS if p.with_name(f"{p.stem}_fixed.ipynb").exists()]


@pytest.mark.parametrize("path", FIXED, ids=lambda path: path.stem)
def test_what_fixing_makes_of_the_testdata(path: Path, worker: Worker) -> None:
    fixed = path.with_name(f"{path.stem}_fixed.ipynb")
    verdicts = judged(worker, pair_of(path, fixed))
    assert {(v.outcome.value, v.reason) for v in verdicts} == {("equivalent", "")}


@pytest.mark.parametrize(
    "cell",
    [
        "!no-such-program\nnames = !ls\n%no_such_magic\n%%time\nx = 1",
        "get_ipython().system('ls')\ndisplay(tf)",
        "import asyncio\nawait asyncio.sleep(0)\nasync with asyncio.Lock():\n    pass",
        "from google.colab import files\nfrom IPython.display import Image\nImage(files)",
        "import plotly.express as px\nfigure, axes = px.line([1, 2])\nfor axis in axes: axis.x = 1",
    ],
)
def test_what_only_jupyter_has_is_answered(cell: str, worker: Worker, tmp_path: Path) -> None:
    (verdict,) = judged(worker, pair(tmp_path, cell))
    assert (verdict.outcome.value, verdict.reason) == ("equivalent", "")


def test_an_error_has_its_place_in_a_cell(worker: Worker, tmp_path: Path) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook("import tensorflow as tf", STEP, "x = 1\nx / 0"))
    (tmp_path / "b.ipynb").write_bytes(notebook("import tensorflow as tf", FASTER, "x = 1\nx / 0"))
    (verdict,) = judged(worker, pair_of(tmp_path / "a.ipynb", tmp_path / "b.ipynb"))
    assert verdict.outcome.value == "not checked"
    assert verdict.reason.startswith("not checked beyond line 2 of cell 3: ")


def test_the_working_tree_against_a_revision(
    worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ipynb").write_bytes(notebook("import tensorflow as tf", "%%time\n" + STEP))
    identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-qm", "a"]):
        subprocess.run(["git", *words], check=True)
    for text, outcome in ((FASTER, "equivalent"), (WRONG, "differs")):
        (tmp_path / "a.ipynb").write_bytes(notebook("import tensorflow as tf", "%%time\n" + text))
        (found,) = changed_pairs("HEAD", ["a.ipynb"])
        (verdict,) = judged(worker, found)
        assert (verdict.path, verdict.outcome.value) == ("a.ipynb", outcome)
