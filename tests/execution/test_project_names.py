"""What a fix adds to one file of a project is not taken for something else in another one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tfxla_lint.cli import main
from tools.programs.client import Worker
from tools.programs.tool import fixed_copy

STEP = """
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.{measure}({model}(x, training=True) - y))
        gradients = tape.gradient(loss, {model}.trainable_variables)
        {optimizer}.apply_gradients(zip(gradients, {model}.trainable_variables))
"""


def step(measure: str, owner: str = "", indent: str = "") -> str:
    text = STEP.format(measure=measure, model=f"{owner}model", optimizer=f"{owner}optimizer")
    return text.replace("\n        ", f"\n        {indent}").rstrip()


DATA = """
tf.keras.utils.set_random_seed(8)
inputs = tf.random.stateless_normal([16, 3], [0, 1])
data = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(4)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
"""

EARLY = f"""import tensorflow as tf


def early(model, optimizer, data):
    for x, y in data:{step("square")}
    return loss


def train_step(model, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.relu(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss
"""
LATE = f"""import tensorflow as tf


def late(model, optimizer, data):
    for x, y in data:{step("abs")}
    return loss
"""
STARS = {
    "early.py": EARLY,
    "late.py": LATE,
    "main.py": f"""import tensorflow as tf
from early import *
from late import *
{DATA}
for turn in range(3):
    print(float(early(model, optimizer, data)), float(late(model, optimizer, data)))
for turn in range(3):
    for x, y in data:
        last = train_step(model, optimizer, x, y)
    print(float(last))
""",
}

LEARNER = f"""import tensorflow as tf


class Learner:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def learn(self, data):
        for x, y in data:{step("square", "self.", "    ")}
        return loss
"""
FAMILY = {
    "learner.py": LEARNER,
    "main.py": f"""import tensorflow as tf
from learner import Learner
{DATA}

class Loud(Learner):
    def learn_step(self, batch):
        return tf.reduce_sum(self.model(batch[0])) * 2.0

    def report(self, data):
        return [float(self.learn_step(batch)) for batch in data]

    def refine(self, data):
        for x, y in data:{step("abs", "self.", "    ")}
        return loss


loud = Loud(model, optimizer)
for turn in range(3):
    print(float(loud.learn(data)), float(loud.refine(data)), loud.report(data))
""",
}


@pytest.mark.parametrize("files", [STARS, FAMILY], ids=["stars", "family"])
def test_other_files_keep_their_names(
    files: dict[str, str], tmp_path: Path, worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tfxla-lint.toml").touch()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    before = worker.run(tmp_path / "main.py")
    monkeypatch.chdir(tmp_path)
    fix = ["--fix", "--unsafe-fixes", "."]
    with pytest.raises(SystemExit):
        main(fix)
    fixed = {name: (tmp_path / name).read_text() for name in files}
    with pytest.raises(SystemExit):
        main(fix)
    assert {name: (tmp_path / name).read_text() for name in files} == fixed
    assert all("@tf.function" in text for text in fixed.values() if "tape" in text)
    after = worker.run(tmp_path / "main.py")
    assert (before.error, after.error) == (None, None)
    numbers = [[float(n.strip("[],")) for n in run.stdout.split()] for run in (before, after)]
    assert len(numbers[0]) > 8
    assert numbers[1] == pytest.approx(numbers[0], rel=1e-5)


def test_one_wrapper_serves_what_two_rules_find(tmp_path: Path, worker: Worker) -> None:
    path = tmp_path / "main.py"
    path.write_text("""import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
policy = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])


def act(state):
    return int(tf.argmax(policy(state)[0]))


def value(state):
    return policy.predict(state, verbose=0).max()


state = np.ones((1, 2), "float32")
total = 0.0
for turn in range(50):
    total += float(value(state))
    state = state * 0.9 - 0.3 * act(state)
print(total)
""")
    (tmp_path / "fixed").mkdir()
    copy = fixed_copy(path, tmp_path / "fixed")
    text = copy.read_text()
    assert text.count("tf.function(policy") == 1
    assert text.count("traced_policy(state") == 2
    before, after = worker.run(path), worker.run(copy)
    assert float(after.stdout) == pytest.approx(float(before.stdout), rel=1e-5)
