"""What the command line does with notebooks: places in each format, settings, comments, streams."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks.cases import STEP, Tool, cell, codes, notebook

IMPORTS, _, REST = STEP.partition("\n")
SETUP, LOOP = REST[: REST.index("for ")], REST[REST.index("for ") :]
Out = Callable[..., str]
#: The loop stands in the third cell.
TRAINING = notebook(cell("# Title", "markdown"), f"{IMPORTS}\n{SETUP}", cell(LOOP, id="loop"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "train.ipynb").write_bytes(TRAINING)
    return tmp_path


@pytest.fixture
def out(tool: Tool) -> Out:
    """What `check` prints where its status is as it should be."""

    def out(*words: str, status: int = 1, stdin: bytes = b"") -> str:
        done = tool("check", *words, stdin=stdin)
        assert done.status == status, done.err
        return done.out

    return out


def as_json(out: Out, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(out("--output-format", "json", *words))
    return found


def loop_line() -> int:
    rows = TRAINING.decode().split("\n")
    return next(i for i, row in enumerate(rows, 1) if row.strip().startswith('"for x, y in'))


# Places, in each format


def test_full(folder: Path, out: Out) -> None:
    text = out()
    assert text.startswith("train.ipynb:cell 3:1:1: warning TXL102 eager-loop-body: ")
    assert "\n1 | for x, y in data:\n  | ^^^" in text
    assert "\nnote: line 2: the tape records op by op\n" in text
    text = out("-v")
    assert "\nnote: train.ipynb:cell 3:2:10: the tape records op by op\n2 |     with" in text


def test_json(folder: Path, out: Out) -> None:
    document = as_json(out)
    assert document["summary"]["cells"] == 2
    (found,) = document["findings"]
    place = {key: found[key] for key in ("path", "cell", "cell_id", "line", "column", "end_line")}
    assert place == {
        "path": "train.ipynb", "cell": 3, "cell_id": "loop", "line": 1, "column": 1, "end_line": 1,
    }  # fmt: skip
    assert found["file_line"] == loop_line()
    assert [item["cell"] for item in found["related"]] == [3]
    text = LOOP
    for edit in reversed(found["fix"]["edits"]):
        assert edit["cell"] == 3
        text = text[: edit["start"]] + edit["text"] + text[edit["end"] :]
    out("--fix", "--unsafe-fixes", status=0)
    assert codes((folder / "train.ipynb").read_bytes())[1] == text


def test_sarif_stands_in_the_json_file(folder: Path, out: Out) -> None:
    document = json.loads(out("--output-format", "sarif"))
    (found,) = document["runs"][0]["results"]
    region = found["locations"][0]["physicalLocation"]["region"]
    assert region["startLine"] == loop_line()
    assert region["properties"] == {"cell": 3, "cellId": "loop", "cellLine": 1, "column": 1}
    lines = TRAINING.decode().splitlines(keepends=True)
    (change,) = found["fixes"][0]["artifactChanges"]
    for replacement in change["replacements"]:
        gone = replacement["deletedRegion"]
        start = sum(map(len, lines[: gone["startLine"] - 1])) + gone["startColumn"] - 1
        end = sum(map(len, lines[: gone["endLine"] - 1])) + gone["endColumn"] - 1
        text = TRAINING.decode()
        text = text[:start] + replacement["insertedContent"]["text"] + text[end:]
    out("--fix", "--unsafe-fixes", status=0)
    assert (folder / "train.ipynb").read_text("utf-8") == text


def test_github(folder: Path, out: Out) -> None:
    text = out("--output-format", "github")
    line = loop_line()
    assert text.startswith(
        f"::warning title=TXL102 eager-loop-body,file=train.ipynb,line={line},endLine={line}::"
        "train.ipynb:cell 3:1:1: TXL102 "
    )
    assert "%0Anote: train.ipynb:cell 3:2:10: " in text


def test_gitlab(folder: Path, out: Out) -> None:
    (issue,) = json.loads(out("--output-format", "gitlab"))
    line = loop_line()
    assert issue["location"] == {"path": "train.ipynb", "lines": {"begin": line, "end": line}}
    assert issue["description"].startswith("cell 3, line 1: TXL102 ")


def test_statistics_count_cells(folder: Path, out: Out) -> None:
    assert out("--statistics").startswith("1  TXL102  [*] eager-loop-body: 1 safe (in 1 cell)")
    assert as_json(out, "--statistics")["statistics"][0]["cells"] == 1


def test_a_clean_notebook_counts_its_cells(tmp_path: Path, out: Out) -> None:
    (tmp_path / "a.ipynb").write_bytes(notebook("a = 1", "%%bash\nls", "b = 2"))
    assert out(status=0) == "No findings in 1 file (2 cells).\n"


def test_the_diff_is_that_of_cells(folder: Path, out: Out) -> None:
    text = out("--diff", "--unsafe-fixes")
    assert text.startswith(
        "--- train.ipynb:cell 3\n+++ train.ipynb:cell 3\n@@ -1,5 +1,10 @@\n-for x, y in data:\n+@tf.function\n"
    )
    assert (folder / "train.ipynb").read_bytes() == TRAINING


def test_explain(tmp_path: Path, tool: Tool) -> None:
    step = STEP.replace("for x, y in data:", "def step(x, y):")
    (tmp_path / "a.ipynb").write_bytes(notebook("%load_ext x", step))
    text = tool("explain", "a.ipynb:step").out
    assert text.startswith("step (cell 2, line 5)\n")
    form = ("--output-format", "json")
    (found,) = json.loads(tool("explain", "a.ipynb:step", *form).out)
    assert (found["cell"], found["line"]) == (2, 5)


# Streams, settings and comments


def test_standard_input(folder: Path, out: Out) -> None:
    words = ("-", "--stdin-filename", "sub/x.ipynb")
    assert out(*words, stdin=TRAINING).startswith("sub/x.ipynb:cell 3:1:1: ")
    fixed = out(*words, "--fix", "--unsafe-fixes", stdin=TRAINING, status=0)
    assert codes(fixed.encode())[1].startswith("@tf.function\ndef train_step(x, y):\n")


def test_fixing_leaves_outputs_and_clears_them_where_that_is_asked_for(
    folder: Path, out: Out
) -> None:
    output = {"name": "stdout", "output_type": "stream", "text": ["1\n"]}
    cells = [
        cell(text, outputs=[output], execution_count=1) for text in (IMPORTS + "\n" + SETUP, LOOP)
    ]
    for option in ("--no-clear-outputs", "--clear-outputs"):
        (folder / "train.ipynb").write_bytes(notebook(*cells))
        out("--fix", "--unsafe-fixes", option, status=0)
        first, second = json.loads((folder / "train.ipynb").read_bytes())["cells"]
        assert (first["outputs"], first["execution_count"]) == ([output], 1)
        kept = ([output], 1) if option == "--no-clear-outputs" else ([], None)
        assert (second["outputs"], second["execution_count"]) == kept


@pytest.mark.parametrize(
    "settings",
    ["include-notebooks = false", "[per-file-ignores]\n'*.ipynb' = ['TXL102']"],
)
def test_settings(folder: Path, out: Out, settings: str) -> None:
    (folder / "tfxla-lint.toml").write_text(settings)
    assert out(status=0).startswith("No findings")


def test_a_comment_for_the_whole_notebook(folder: Path, out: Out) -> None:
    (folder / "train.ipynb").write_bytes(notebook("# tfxla-lint: disable-file", STEP))
    assert out(status=0).startswith("No findings")


def test_a_comment_for_a_line(folder: Path, out: Out) -> None:
    code = STEP.replace("in data:", "in data:  # noqa: TXL102")
    (folder / "train.ipynb").write_bytes(notebook(code))
    assert out(status=0).startswith("No findings")


def test_a_comment_at_the_end_of_a_cell_says_nothing_of_the_next(folder: Path, out: Out) -> None:
    above = f"{IMPORTS}\n{SETUP}# tfxla-lint: ignore[TXL102]"
    (folder / "train.ipynb").write_bytes(notebook(above, LOOP))
    assert "TXL102" in out("--ignore", "TXL002")
    out("--fix", status=0)
    assert codes((folder / "train.ipynb").read_bytes())[0] == f"{IMPORTS}\n{SETUP.rstrip()}"


def test_adding_comments(folder: Path, out: Out) -> None:
    out("--add-noqa", status=0)
    loop = codes((folder / "train.ipynb").read_bytes())[1]
    assert loop == LOOP.replace("in data:", "in data:  # noqa: TXL102")
    assert out(status=0).startswith("No findings")


# Beside other files


def test_a_broken_notebook_does_not_stop_the_others(folder: Path, out: Out) -> None:
    (folder / "broken.ipynb").write_bytes(TRAINING[:-5])
    (folder / "syntax.ipynb").write_bytes(notebook("a = 1", "def f(:"))
    (folder / "well.ipynb").write_bytes(notebook("a = 1", "b = 1\ndef f():\nc = 1"))
    lines = out("--output-format", "concise").split("\n")
    assert lines[0].startswith("broken.ipynb:39:19: error TXL001 syntax-error: no notebook: it is")
    assert lines[1].startswith("syntax.ipynb:cell 2:1:7: error TXL001 syntax-error: ")
    assert lines[2].startswith("train.ipynb:cell 3:1:1: warning TXL102 ")
    assert lines[3].startswith("well.ipynb:cell 2:3:1: error TXL001 syntax-error: ")
    assert lines[3].endswith(" after function definition on line 2")


def test_a_step_that_a_notebook_runs(tmp_path: Path, out: Out) -> None:
    step = STEP.replace("for x, y in data:", "def step(x, y):")
    (tmp_path / "steps.py").write_text(step)
    loop = "from steps import data, step\nfor x, y in data:\n    step(x, y)"
    (tmp_path / "train.ipynb").write_bytes(notebook("import tensorflow as tf", loop))
    text = out()
    assert text.startswith("steps.py:5:5: warning TXL101 missing-tf-function: ")
    assert "\nnote: train.ipynb:cell 2:2:1: " in text
    assert "\nnote: train.ipynb:cell 2:2:1: " in out("steps.py")


@pytest.mark.parametrize("name", ["steps.ipynb", "steps.py"])
def test_a_step_of_a_notebook_that_is_run(tmp_path: Path, out: Out, name: str) -> None:
    step = STEP.replace("for x, y in data:", "def step(x, y):")
    (tmp_path / name).write_bytes(notebook(step) if name.endswith("ipynb") else step.encode())
    loop = "for x, y in data:\n    step(x, y)"
    (tmp_path / "train.ipynb").write_bytes(notebook(f"%matplotlib inline\n%run ./{name}", loop))
    text = out(name)
    assert ": warning TXL101 missing-tf-function: " in text
    assert "\nnote: train.ipynb:cell 2:1:1: " in text


def test_the_version_that_a_notebook_installs(tmp_path: Path, out: Out) -> None:
    code = "import tensorflow as tf\nx = tf.keras.ops.add(1, 2)"
    (tmp_path / "a.ipynb").write_bytes(notebook("!pip install tensorflow==2.12", code))
    (tmp_path / "requirements.txt").write_text("tensorflow>=2.18\n")
    assert "2.12" in out()
    out("--tf-version", "2.18", status=0)


def test_a_notebook_in_another_language_is_passed_over(tmp_path: Path, out: Out) -> None:
    metadata = {"language_info": {"name": "R"}}
    (tmp_path / "a.ipynb").write_bytes(notebook("x <- 1", metadata=metadata))
    assert out(status=0) == "No findings in 1 file.\n"


def test_a_script_in_the_percent_format(tmp_path: Path, out: Out) -> None:
    text = f"# %%\n{IMPORTS}\n# %%\n{SETUP}# %% Training\n{LOOP}"
    (tmp_path / "a.py").write_text(text)
    out("--fix", "--unsafe-fixes", status=0)
    fixed = (tmp_path / "a.py").read_text()
    assert "\n# %% Training\n\n\n@tf.function\ndef train_step(x, y):\n" in fixed


# What people do with cells


MAKING = "w = tf.Variable(tf.ones([3, 1]))"
RUNNING = """for i in range(30):
    loss = train_step(tf.ones([4, 3]), tf.zeros([4, 1]))
print(float(loss))"""
DEFINED = """def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss"""
INLINE = """for i in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
print(float(loss))"""


@pytest.mark.parametrize(
    ("cells", "is_safe"),
    [
        ((MAKING, DEFINED, RUNNING), False),
        (("%run setup.py", DEFINED, RUNNING), False),
        ((MAKING + "\nx, y = tf.ones([4, 3]), tf.zeros([4, 1])", INLINE), True),
    ],
    ids=["a function of another cell", "names of a file", "made anew with its cell"],
)
def test_a_name_that_a_cell_may_bind_again_is_not_proved(
    tmp_path: Path, out: Out, cells: tuple[str, ...], is_safe: bool
) -> None:
    (tmp_path / "setup.py").write_text(f"import tensorflow as tf\n\n{MAKING}\n")
    (tmp_path / "cells.ipynb").write_bytes(notebook("import tensorflow as tf", *cells))
    done = out("--diff", "cells.ipynb", status=int(is_safe))
    assert ("@tf.function" in done) == is_safe
    assert "@tf.function" in out("--diff", "--unsafe-fixes", "cells.ipynb")
