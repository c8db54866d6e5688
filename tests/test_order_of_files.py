"""A project means the same whatever its files are called, and whichever of them is read first.

Files are analysed in the order of their names, so here each project is linted and fixed under all
ways to give its files their names: what is said of each file has to be the same.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from itertools import islice, permutations
from pathlib import Path

import pytest

from tests import test_other_files, test_projects
from tests.test_projects import lint

#: The modules that may be called differently: all names are of one length, so that places agree.
_MODULE = re.compile(r"\bpart_([a-f])\b")
_MOST_ORDERS = 6

RENEWED = {
    "part_a.py": """import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.1)

    def renew(self):
        self.optimizer = tf.keras.optimizers.Adam(0.01)

    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss
""",
    "part_b.py": """import tensorflow as tf

from part_a import Trainer

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
trainer = Trainer(model)
for epoch in range(4):
    for step in range(25):
        trainer.train_step(tf.ones([8, 4]), tf.ones([8, 1]))
    trainer.renew()
""",
}

#: Projects by what ties their files together.
PROJECTS = {
    "a loop and its step": {
        "part_a.py": test_projects.STEPS,
        "part_b.py": test_projects.TRAIN.replace("pkg.steps", "part_a"),
    },
    "an object that is renewed": RENEWED,
    "an optimizer that is set from outside": {
        "part_a.py": RENEWED["part_a.py"].replace(
            "    def renew(self):\n", "    def unused(self):\n"
        ),
        "part_b.py": RENEWED["part_b.py"]
        .replace("trainer.renew()", "renew(trainer)")
        .replace("import Trainer\n", "import Trainer\nfrom part_c import renew\n"),
        "part_c.py": """import tensorflow as tf


def renew(trainer):
    trainer.optimizer = tf.keras.optimizers.SGD(0.1)
""",
    },
    "a base and what derives from it": {
        "part_a.py": """import tensorflow as tf

from part_c import config


class Base(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.optimizer_ = tf.keras.optimizers.SGD(config.rate)

    def train(self, batches):
        for x, y in batches:
            self.learn(x, y)
""",
        "part_b.py": """import tensorflow as tf

from part_a import Base


class Net(Base):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)

    def learn(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer_.apply_gradients(zip(gradients, self.trainable_variables))
        print(float(loss))
        return loss
""",
        "part_c.py": """import tensorflow as tf


class Config:
    rate = 0.1


config = Config()
data = tf.data.Dataset.from_tensor_slices((tf.ones([64, 4]), tf.ones([64, 1]))).batch(8)
""",
        "part_d.py": """from part_b import Net
from part_c import data

Net().train(data.repeat(3))
""",
    },
    "files that import each other": {
        "part_a.py": """import tensorflow as tf

import part_b


@tf.function
def scaled(x):
    y = part_b.shifted(x)
    if y.numpy().any():
        print("shifted")
    return y * 2.0


def train(steps):
    for step in range(steps):
        print(float(tf.reduce_sum(scaled(tf.ones([4, 4])))))
""",
        "part_b.py": """import tensorflow as tf

import part_a


def shifted(x):
    return x + tf.constant(1.0)


def twice(x):
    return part_a.scaled(part_a.scaled(x))


if __name__ == "__main__":
    part_a.train(100)
""",
    },
    **{
        f"other files: {name}": {
            "part_a.py": test_other_files.NORMALISE,
            "part_b.py": test_other_files.HEAD.replace("from lib", "from part_a") + call + "\n",
        }
        for name, call in test_other_files.LOOPS.items()
    },
}


def named(files: dict[str, str], order: tuple[str, ...]) -> Callable[[str], str]:
    """What gives the modules of a text the names that they have in this order."""
    own = [file.removesuffix(".py") for file in files]
    names = dict(zip(own, order, strict=True))
    return lambda text: _MODULE.sub(lambda found: names[found[0]], text)


def orders(files: dict[str, str]) -> list[tuple[str, ...]]:
    every = permutations(file.removesuffix(".py") for file in files)
    return list(islice(every, _MOST_ORDERS))


def written(folder: Path, files: dict[str, str], name: Callable[[str], str]) -> list[str]:
    """Write the files of a project under other names; these names."""
    folder.mkdir()
    os.chdir(folder)
    (folder / "tfxla-lint.toml").touch()
    for file, text in files.items():
        (folder / name(file)).write_text(name(text))
    return [name(file) for file in files]


def said(
    capfd: pytest.CaptureFixture[str], back: Callable[[str], str], *arguments: str
) -> list[str]:
    """What is found, with the names that the files have in the test."""
    done = lint(capfd, "--output-format", "json", *arguments)
    assert "failed" not in done.err
    return sorted(json.dumps(row, sort_keys=True) for row in json.loads(back(done.out))["findings"])


@pytest.mark.parametrize("project", PROJECTS)
def test_findings_and_fixes_do_not_depend_on_the_order_of_files(
    project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    files = PROJECTS[project]
    answers = []
    for index, order in enumerate(orders(files)):
        name = named(files, order)
        back = named({f"{new}.py": "" for new in order}, tuple(f[:-3] for f in files))
        paths = written(tmp_path / str(index), files, name)
        found = said(capfd, back, *paths)
        alone = [row for path in reversed(paths) for row in said(capfd, back, path)]
        assert sorted(alone) == found
        lint(capfd, "--fix", "--unsafe-fixes", ".")
        answers.append(
            (found, [back((tmp_path / str(index) / path).read_text()) for path in paths])
        )
    assert answers[0][0]
    for answer in answers[1:]:
        assert answer == answers[0]


@pytest.mark.parametrize(
    "project", ["an object that is renewed", "a base and what derives from it"]
)
def test_workers_find_the_same_in_every_order(
    project: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    paths = written(tmp_path / "0", PROJECTS[project], str)
    found = said(capfd, str, *paths)
    assert said(capfd, str, "-j", "2", *reversed(paths)) == found


def test_a_step_of_an_object_that_is_renewed_keeps_its_optimizer_out_of_the_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for index, order in enumerate(orders(RENEWED)):
        name = named(RENEWED, order)
        step, _ = written(tmp_path / str(index), RENEWED, name)
        (row,) = (json.loads(row) for row in said(capfd, str, "--select", "TXL101", step))
        assert "may keep it from being traced" in row["message"]
        assert "`optimizer`, which is set elsewhere" in str(row["related"])
        lint(capfd, "--fix", "--unsafe-fixes", ".")
        traced, _, eager = (
            (tmp_path / str(index) / step).read_text().partition("    def train_step")
        )
        assert "@tf.function" in traced
        assert "apply_gradients" not in traced
        assert "apply_gradients" in eager
