"""What a progress bar is given on each turn, in the ways that people write it (TXL104)."""

from __future__ import annotations

import pytest

from tfxla_lint.source import Source

from .cases import RULES, findings_in

HEAD = """\
import tensorflow as tf
from tqdm import tqdm
w = tf.Variable(1.0)
@tf.function
def step(x):
    w.assign_sub(0.1)
    return x * w
steps = tqdm(tf.data.Dataset.range(100).map(lambda i: tf.cast(i, tf.float32)))
for x in steps:
    loss = step(x)
    steps."""


@pytest.mark.parametrize(
    ("shown", "found"),
    [
        ("set_postfix(loss=loss)", True),
        ("set_postfix(loss=float(loss))", True),
        ('set_postfix({"loss": loss})', True),
        ('set_postfix(ordered_dict={"loss": loss})', True),
        ("set_postfix(dict(loss=loss.numpy()))", True),
        ('set_description("loss {}".format(loss))', True),
        ("update(1)", False),
        ('set_postfix({"lr": 0.1})', False),
    ],
)
def test_each_turn_waits_for_what_a_bar_shows(shown: str, found: bool) -> None:
    source = Source("bar.py", f"{HEAD}{shown}\n")
    assert bool(findings_in(RULES["eager", "host_sync_in_loop"], source)) is found
