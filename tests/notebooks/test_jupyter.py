"""The cell magic, in a running IPython."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from tests.notebooks.cases import STEP

if importlib.util.find_spec("IPython") is None:
    pytest.skip("IPython is not installed", allow_module_level=True)

IMPORTS, _, REST = STEP.partition("\n")
SETUP, LOOP = REST[: REST.index("for ")], REST[REST.index("for ") :]
CONTEXT = ["%load_ext tfxla_lint", IMPORTS, "print(", "1 / 0", SETUP]
#: Runs cells where TensorFlow is an empty shell: only what the tool says counts.
DRIVER = """\
import json, sys
from unittest.mock import MagicMock
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
sys.modules["tensorflow"] = MagicMock()
shell = InteractiveShell.instance()
said = []
shell.set_next_input = lambda text, replace=False: said.append([text, replace])
answers = []
for code in json.load(sys.stdin):
    said.clear()
    with capture_output() as captured:
        done = shell.run_cell(code, store_history=True)
    shown = [output.data for output in captured.outputs]
    answers.append(
        {"ok": done.success, "out": captured.stdout + captured.stderr, "next": said[:], "shown": shown}
    )
print(json.dumps(answers))
"""


def run(folder: Path, *codes: str) -> list[dict[str, Any]]:
    """What each cell gives: whether it ended well, its output, the input that it asks for, what it
    displays."""
    environment = {**os.environ, "IPYTHONDIR": str(folder / "ipython")}
    done = subprocess.run(
        [sys.executable, "-c", DRIVER],
        cwd=folder,
        input=json.dumps(codes),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    answers: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return answers


def test_findings_rest_on_the_cells_run_so_far(tmp_path: Path) -> None:
    *_, shown = run(tmp_path, *CONTEXT, f"%%tfxla\n{LOOP}print('ran')")
    text, html = shown["shown"][0]["text/plain"], shown["shown"][0]["text/html"]
    assert text.startswith(
        "1:1  TXL102 eager-loop-body  this loop over a dataset runs its training"
    )
    assert text.endswith("\n1 finding. 1 fixable with %%tfxla --fix.")
    assert html.startswith('<table><tr style="text-align: left"><td>1:1</td><td>TXL102 eager-')
    assert (shown["ok"], shown["out"], shown["next"]) == (True, "ran\n", [])


def test_a_cell_is_rewritten_and_not_run(tmp_path: Path) -> None:
    code = f"%time len('')\n{LOOP}print('ran')"
    caught = "try:\n" + textwrap.indent(LOOP, "    ") + "except ValueError:\n    pass\nprint('ran')"
    *_, safe, doubtful, unsafe, again = run(
        tmp_path,
        *CONTEXT,
        f"%%tfxla --fix\n{code}",
        f"%%tfxla --fix\n{caught}",
        f"%%tfxla --fix --unsafe-fixes\n{caught}",
        "%%tfxla --fix --unsafe-fixes\n@tf.function\ndef f():\n    return tf.ones([2])",
    )
    assert doubtful["next"] == []
    assert doubtful["out"].endswith("ran\n")
    assert "@tf.function" in unsafe["next"][0][0]
    ((text, replaces),) = safe["next"]
    assert text.startswith("%%tfxla\n%time len('')\n\n\n@tf.function\ndef train_step(x, y):\n")
    assert text.endswith("for x, y in data:\n    train_step(x, y)\nprint('ran')")
    assert (replaces, safe["out"]) == (True, "The cell is rewritten, and was not run.\n")
    assert (again["next"], again["shown"][0]["text/plain"]) == ([], "0 findings.")


def test_a_loop_shows_what_it_makes_of_a_step_above(tmp_path: Path) -> None:
    step = STEP.replace("for x, y in data:", "def step(x, y):")
    *_, loop = run(tmp_path, CONTEXT[0], step, "%%tfxla\nfor x, y in data:\n    step(x, y)")
    assert loop["shown"][0]["text/plain"].startswith(
        "an earlier cell  TXL101 missing-tf-function  "
    )


def test_an_error_of_the_cell_is_its_own(tmp_path: Path) -> None:
    _, failed, wrong = run(tmp_path, CONTEXT[0], "%%tfxla\n1 / 0", "%%tfxla --what\nprint(1)")
    assert not failed["ok"]
    assert failed["out"].count("division by zero") == 1
    assert wrong["out"] == "%%tfxla knows --fix and --unsafe-fixes, not --what\n"
