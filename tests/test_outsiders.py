"""Files that are not linted, and may use what is: no fix is safe of a step that they may run otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main

STEPS = """import tensorflow as tf

SCALE = 0.5
w = tf.Variable([0.5, -1.0])


def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(w * x) - 0.3)) * SCALE
    w.assign_sub(0.05 * tape.gradient(loss, w))
    return loss
"""
MAIN = """import tensorflow as tf

import steps

for _ in range(60):
    print(float(steps.train_step(tf.ones([2]))))
"""
ANNEAL = """#!/usr/bin/env python3
import tensorflow as tf

import steps

for _ in range(60):
    steps.train_step(tf.ones([2]))
    steps.SCALE *= 0.9
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / "steps.py").write_text(STEPS)
    (tmp_path / "main.py").write_text(MAIN)
    return tmp_path


def is_fixed(capfd: pytest.CaptureFixture[str], place: str = ".") -> bool:
    with pytest.raises(SystemExit):
        main(["--diff", "--fix", "--select", "TXL101", "--no-cache", place])
    return "+@tf.function" in capfd.readouterr().out


@pytest.mark.parametrize(
    "files",
    [
        {"bin/anneal": ANNEAL},
        {"anneal.pyw": ANNEAL},
        {".gitignore": "anneal.py\n", "anneal.py": ANNEAL},
        {"examples/pyproject.toml": "", "examples/anneal.py": ANNEAL},
    ],
    ids=["no ending", "pyw", "ignored", "nested"],
)
def test_what_is_not_linted_may_use_a_step(
    project: Path, capfd: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    assert is_fixed(capfd)
    for name, text in files.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    assert not is_fixed(capfd)


@pytest.mark.parametrize(
    "files",
    [
        {"bin/run": ANNEAL.replace("steps", "others")},
        {"notes": "import steps\n"},
        {"examples/pyproject.toml": "", "examples/other.py": "import os\n"},
        {"env/pyvenv.cfg": "", "env/anneal.py": ANNEAL},
    ],
    ids=["another module", "no script", "unrelated", "environment"],
)
def test_what_does_not_use_it_is_no_matter(
    project: Path, capfd: pytest.CaptureFixture[str], files: dict[str, str]
) -> None:
    for name, text in files.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    assert is_fixed(capfd)


def test_a_repository_above_may_use_its_parts(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    part = project / "part"
    part.mkdir()
    for name in ("steps.py", "main.py"):
        (project / name).rename(part / name)
    (part / ".git").write_text("gitdir: ../.git/modules/part\n")
    assert is_fixed(capfd, "part")
    (project / "anneal.py").write_text(ANNEAL.replace("import steps", "from part import steps"))
    assert not is_fixed(capfd, "part")


def test_no_fix_is_safe_within_a_package(project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    package = project / "trainer"
    package.mkdir()
    (package / "__init__.py").touch()
    (project / "steps.py").rename(package / "steps.py")
    (project / "main.py").write_text(MAIN.replace("import steps", "from trainer import steps"))
    assert not is_fixed(capfd)
