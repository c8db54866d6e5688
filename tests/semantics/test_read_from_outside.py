"""Names that code elsewhere reads stay where it finds them when a loop's body moves."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main

TRAINER = """\
import tensorflow as tf

w = tf.Variable(tf.ones([3, 1]))
x = tf.ones([4, 3])
for epoch in range(30):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.01 * gradient)
print(float(loss))
"""


@pytest.fixture
def at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "other",
    [
        "import trainer\nprint(trainer.gradient)\n",
        "from trainer import gradient\n",
        "from trainer import *\nprint(gradient)\n",
        "import trainer as t\n\n\ndef show():\n    print(t.gradient)\n",
    ],
)
def test_what_another_file_reads_of_a_module_is_given_back(at: Path, other: str) -> None:
    Path(at, "trainer.py").write_text(TRAINER)
    Path(at, "main.py").write_text(other)
    with pytest.raises(SystemExit):
        main(["--no-cache", "--fix", "--unsafe-fixes", str(at)])
    assert "loss, gradient = train_step()" in Path(at, "trainer.py").read_text()


@pytest.mark.parametrize(
    "other",
    [
        "import importlib\nprint(importlib.import_module('trainer').gradient)\n",
        "import runpy\nprint(runpy.run_path('trainer.py')['gradient'])\n",
        "import sys\nimport trainer\nprint(sys.modules['trainer'].gradient)\n",
    ],
)
def test_where_a_text_names_the_module_no_move_is_safe(at: Path, other: str) -> None:
    Path(at, "trainer.py").write_text(TRAINER)
    Path(at, "main.py").write_text(other)
    with pytest.raises(SystemExit):
        main(["--no-cache", "--fix", str(at)])
    assert Path(at, "trainer.py").read_text() == TRAINER


def test_a_module_that_nobody_reads_gives_back_what_it_shows(at: Path) -> None:
    Path(at, "trainer.py").write_text(TRAINER)
    with pytest.raises(SystemExit):
        main(["--no-cache", "--fix", str(at)])
    assert "    loss = train_step()" in Path(at, "trainer.py").read_text()


def test_a_script_beside_another_one_may_be_called_like_a_module_of_python(at: Path) -> None:
    Path(at, "sched.py").write_text(
        "rate = 0.1\n\n\ndef lower():\n    global rate\n    rate /= 2\n"
    )
    text = TRAINER.replace("import tensorflow as tf", "import sched\n\nimport tensorflow as tf")
    text = text.replace("0.01 * gradient)", "sched.rate * gradient)\n    sched.lower()")
    Path(at, "main.py").write_text(text)
    with pytest.raises(SystemExit):
        main(["--no-cache", "--fix", str(at)])
    assert Path(at, "main.py").read_text() == text
