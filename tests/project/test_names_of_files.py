"""What is found in a file does not depend on what the file is called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tfxla_lint.cli import main

AGENT = """import tensorflow as tf


class Agent:
    def __init__(self, rate):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.optimizer = tf.keras.optimizers.Adam(rate)

    def update(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x)))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))

    def train(self):
        for _ in range(1000):
            self.update(tf.random.normal([8, 4]))


if __name__ == "__main__":
    Agent(0.1).train()
"""
SEARCH = """from agent import Agent
from somewhere import minimise


def objective(rate):
    agent = Agent(rate)
    agent.train()
    return float(agent.model.losses[0])


minimise(objective)
"""


def test_a_search_over_a_program_takes_no_finding_from_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in {"agent": AGENT, "copy_of_it": AGENT, "search": SEARCH}.items():
        (tmp_path / f"{name}.py").write_text(text, "utf-8")
    with pytest.raises(SystemExit):
        main(["check", "--no-cache", "--output-format", "json", str(tmp_path)])
    found: dict[str, list[tuple[str, int]]] = {}
    for row in json.loads(capsys.readouterr().out)["findings"]:
        found.setdefault(Path(row["path"]).name, []).append((row["code"], row["line"]))
    assert ("TXL101", 9) in found["agent.py"]
    assert found["agent.py"] == found["copy_of_it.py"]
