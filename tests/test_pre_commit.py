"""The hooks that the repository offers, run by pre-commit on commits of another repository."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from shutil import copyfile

import pytest

pytest.importorskip("pre_commit")
ROOT = Path(__file__).parent.parent
HOOKS = ".pre-commit-hooks.yaml"
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"]
FAULTY = "import tensorflow as tf\n\nx = tf.zeros([3])  # noqa: TXL101\n"
NOTED = """\
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices((tf.zeros([64, 3]), tf.zeros([64, 1])))
model.fit(data.batch(8).shuffle(64))
"""


class Project:
    """A repository whose commits pass the hook that fixes.

    The tool is the one that is installed here: the hook alone comes from its repository.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        tools = str(Path(sys.executable).parent)
        self._environment = {
            **os.environ,
            "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}",
            "PRE_COMMIT_HOME": str(folder / "home"),
        }
        hooks = folder / "hooks"
        for place in (hooks, self.folder):
            place.mkdir()
            self.git("init", "-q", "-b", "main", folder=place)
        copyfile(ROOT / HOOKS, hooks / HOOKS)
        self.git("add", "-A", folder=hooks)
        self.git("commit", "-qm", "hooks", folder=hooks)
        revision = self.git("rev-parse", "HEAD", folder=hooks).stdout.strip()
        (self.folder / ".pre-commit-config.yaml").write_text(
            f"repos:\n  - repo: {hooks}\n    rev: {revision}\n    hooks:\n"
            "      - id: tfxla-lint-fix\n        language: system\n        verbose: true\n"
        )
        subprocess.run(
            [sys.executable, "-m", "pre_commit", "install"],
            cwd=self.folder,
            env=self._environment,
            check=True,
            capture_output=True,
        )

    def git(self, *words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*GIT, *words],
            cwd=folder or self.folder,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def commit(self, name: str, text: str) -> tuple[bool, str]:
        """Whether a file could be committed, and what was printed."""
        (self.folder / name).write_text(text)
        self.git("add", "-A")
        done = self.git("commit", "-m", "change")
        return done.returncode == 0, done.stdout + done.stderr


def test_a_commit_is_caught_and_fixed_and_a_note_blocks_none(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (project.folder / "--exit-zero.py").write_text(FAULTY)
    is_committed, printed = project.commit("a.py", FAULTY)
    assert not is_committed
    assert "files were modified by this hook" in printed
    for name in ("a.py", "--exit-zero.py"):
        fixed = (project.folder / name).read_text()
        assert fixed == FAULTY.replace("  # noqa: TXL101", "")
    is_committed, printed = project.commit("noted.py", NOTED)
    assert is_committed, printed
    assert "noted.py:6:25: note TXL604 pipeline-order" in printed
