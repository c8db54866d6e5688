"""What is known of files goes when others are processed, without a search for garbage."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import libcst as cst
import pytest

from tests.running import runs
from tfxla_lint import batches
from tfxla_lint.semantics.world import Module
from tfxla_lint.session import Session
from tfxla_lint.source import Source

_STEPS = """\
import tensorflow as tf


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss
"""
_TRAIN = """\
import tensorflow as tf
from {name} import Trainer

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
trainer = Trainer(model, tf.keras.optimizers.SGD())
data = tf.data.Dataset.from_tensor_slices((tf.ones([8, 2]), tf.ones([8, 1]))).batch(2)
for epoch in range(3):
    for x, y in data:
        print(trainer.step(x, y).numpy())
"""


def _parsed_modules(monkeypatch: pytest.MonkeyPatch) -> list[weakref.ref[Module]]:
    """Weak references to the modules that are parsed from here on, filled as they are."""
    known: list[weakref.ref[Module]] = []
    make = Module.parsed

    def noting(file: str, source: Source, tree: cst.Module) -> Module:
        module = make(file, source, tree)
        known.append(weakref.ref(module))
        return module

    monkeypatch.setattr(Module, "parsed", noting)
    return known


def test_what_was_left_goes_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs(capsys)
    (tmp_path / ".git").mkdir()
    for i in range(3):
        (tmp_path / f"steps_{i}.py").write_text(_STEPS)
        (tmp_path / f"train_{i}.py").write_text(_TRAIN.format(name=f"steps_{i}"))
    (tmp_path / "alone.py").write_text(_STEPS + "\n\nprint(tf.zeros(2))\n")
    arguments = ["--no-cache", "-j", "1", "--output-format", "json", str(tmp_path)]
    before = run(*arguments)
    assert "TXL101" in before.out
    monkeypatch.setattr(batches._Collector, "_THRESHOLD", 0)
    monkeypatch.setattr(batches._Collector, "MUCH", 10**9)
    known = _parsed_modules(monkeypatch)
    left: list[int] = []
    let_go = Session.let_go

    def counting(self: Session) -> None:
        let_go(self)
        left.append(sum(ref() is not None for ref in known))

    monkeypatch.setattr(Session, "let_go", counting)
    gc.collect()
    after = run(*arguments)
    assert after == before
    # Three clusters of two files and a file alone: what was processed last waits for the next one.
    assert len(known) >= 7
    assert max(left) <= 2


def test_a_process_of_many_runs_does_not_grow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run = runs(capsys)
    (tmp_path / "steps.py").write_text(_STEPS)
    monkeypatch.setattr(batches._Collector, "MUCH", 0)
    known = _parsed_modules(monkeypatch)
    for _ in range(5):
        run("--no-cache", "-j", "1", str(tmp_path))
    assert len(known) == 5
    assert sum(ref() is not None for ref in known) <= 1
