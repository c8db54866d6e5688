"""What is imported when, and what it costs to start."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

BAD = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD()
data = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 3]), tf.zeros([64, 1]))).batch(8)
for x, y in data:  # noqa: TXL501
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
"""
PROBE = """\
import json, sys
from tfxla_lint.cli import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
print()
print(json.dumps(sorted(name.partition(".")[0] for name in sys.modules)))
"""


def imported(folder: Path, *arguments: str) -> set[str]:
    """The top-level modules that are loaded when a command has ended."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "arguments",
    [
        ["."],
        ["--fix", "--unsafe-fixes", "."],
        ["--diff", "--unsafe-fixes", "."],
        ["--output-format", "sarif", "--select", "ALL", "."],
        ["rule", "--all"],
    ],
)
def test_tensorflow_is_never_imported(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text(BAD)
    names = imported(tmp_path, *arguments)
    assert not names & {"tensorflow", "keras", "numpy"}
    assert ("libcst" in names) == (arguments[0] != "rule")


#: What only linting needs.
HEAVY = ("libcst", "tfxla_lint.linter", "tfxla_lint.semantics", "tfxla_lint.rewriting")


def heavy(folder: Path, *arguments: str, **environment: str) -> set[str]:
    """The modules of the linter itself that are loaded when a command has ended."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.replace('name.partition(".")[0]', "name"), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    names = json.loads(done.stdout.splitlines()[-1])
    return {name for name in names if name.startswith((*HEAVY, "tfxla_lint.rules."))}


@pytest.mark.parametrize(
    "arguments",
    [
        ["--version"],
        ["--help"],
        ["check", "--help"],
        ["--show-files", "."],
        ["--show-settings"],
        ["clean"],
        ["rule", "TXL101"],
    ],
)
def test_small_commands_load_nothing_of_the_linter(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.py").write_text(BAD)
    assert heavy(tmp_path, *arguments) == set()


def test_completion_loads_nothing_of_the_linter(tmp_path: Path) -> None:
    words = {"COMP_WORDS": "tfxla-lint check --out", "COMP_CWORD": "2"}
    assert heavy(tmp_path, _TFXLA_LINT_COMPLETE="bash_complete", **words) == set()


@pytest.mark.parametrize("form", ["full", "json", "sarif"])
def test_what_is_known_needs_nothing_of_the_linter(tmp_path: Path, form: str) -> None:
    (tmp_path / "a.py").write_text(BAD)
    (tmp_path / "b.py").write_text("import os\n")
    arguments = ["--output-format", form, "."]
    assert heavy(tmp_path, *arguments, TFXLA_LINT_NO_CACHE="") != set()
    assert heavy(tmp_path, *arguments, TFXLA_LINT_NO_CACHE="") == set()


def test_files_without_our_words_need_no_libcst(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("import torch  # noqa: TXL101\nx = = 1\n")
    (tmp_path / "b.py").write_text("import torch  # noqa: TXL101\n")
    assert "libcst" not in imported(tmp_path, ".")
    imported(tmp_path, "--fix", ".")
    assert (tmp_path / "b.py").read_text() == "import torch\n"


def test_libcst_is_used_without_its_slow_parts(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(BAD)
    probe = PROBE.replace('name.partition(".")[0]', "name")
    done = subprocess.run(
        [sys.executable, "-c", probe, "--fix", "--unsafe-fixes", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    names = set(json.loads(done.stdout.splitlines()[-1]))
    assert not names & {"libcst.matchers", "libcst.codemod", "unittest"}


def cpu_seconds(*arguments: str, folder: Path | None = None) -> float:
    """The least processor time of some runs of Python, which may keep what it compiles."""
    environment = {**os.environ, "TFXLA_LINT_NO_CACHE": ""}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times: list[float] = []
    for _ in range(6):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *arguments], capture_output=True, env=environment, cwd=folder
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(times)


def test_the_version_comes_at_once() -> None:
    assert cpu_seconds("-m", "tfxla_lint", "--version") < 0.15


def test_a_hook_on_files_that_are_known_costs_little(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("*.py[cod]\n/docs/_build/\n!keep\n")
    for number in range(60):
        (tmp_path / f"net{number}.py").write_text(f"{BAD}import net{number + 1}\n")
    names = ["net1.py", "net20.py", "net40.py"]
    hook = cpu_seconds("-m", "tfxla_lint", *names, folder=tmp_path)
    # It is about 1.7 times; what is left over is for a machine that does other things.
    assert hook < 3 * cpu_seconds("-c", "import click")
