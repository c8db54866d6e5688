"""What calls of libraries lead to: functions that are returned, other methods, other sizes, rounding."""

from __future__ import annotations

import textwrap

import pytest

from .conftest import Verify, is_refuted, outcomes

LIBRARY = """\
import contextlib

import tensorflow as tf


def make_steps(scale):
    variable = tf.Variable(1.0)

    def train(x):
        variable.assign_sub(0.1 * scale * tf.reduce_mean(x))
        return variable + 0.0

    def evaluate(x):
        return variable * tf.reduce_max(x)

    return train, evaluate


def huber(delta=1.0):
    return lambda x: tf.reduce_mean(tf.minimum(0.5 * x * x, delta * tf.abs(x)))


def combine(*masks):
    out = None
    for mask in masks:
        if mask is not None:
            out = mask if out is None else tf.logical_and(out, mask)
    return out


def sharper(variables, closure, rho=0.05):
    loss, gradients = closure()
    for variable, gradient in zip(variables, gradients):
        variable.assign_sub(rho * gradient)
    return float(loss)


def momentum_update(target, online, momentum=0.99):
    for t, o in zip(target, online):
        t.assign(momentum * t + (1.0 - momentum) * o)


def embed(x):
    return tf.reduce_sum(x * tf.range(3.0), axis=-1)


class Attention:
    def __init__(self, flips=False):
        self.flips = flips
        self.cache = None
        self.seen = []

    def start_cache(self):
        self.cache = []

    def stop_cache(self):
        self.cache = None

    def __call__(self, x):
        if self.flips:
            x = -x
        if self.cache is not None:
            self.cache.append(x)
            x = tf.add_n(self.cache)
        return 2.0 * x

    def note(self, value):
        self.seen.append(float(tf.reduce_sum(value)))
        return {"seen": self.seen}


class Average:
    def __init__(self, variables):
        self.variables = list(variables)
        self.shadow = [tf.Variable(v) for v in self.variables]

    @contextlib.contextmanager
    def applied(self):
        kept = [tf.identity(v) for v in self.variables]
        for s, v in zip(self.shadow, self.variables):
            v.assign(0.5 * s)
        yield self.variables
        for k, v in zip(kept, self.variables):
            v.assign(k)
"""
RIGHT = {
    "functions that are returned": ("    def train(", "    @tf.function\n    def train("),
    "a lambda": ("lambda x: tf.reduce_mean(", "lambda x: tf.math.reduce_mean("),
    "starred": (
        "            out = mask if out is None else tf.logical_and(out, mask)\n",
        "            out = mask if out is None else out & mask\n",
    ),
    "a loss with its gradients": ("variable.assign_sub(rho * g", "variable.assign_add(-rho * g"),
    "rounded otherwise": (
        "t.assign(momentum * t + (1.0 - momentum) * o)",
        "t.assign_add((1.0 - momentum) * (o - t))",
    ),
    "after another method": ("x = tf.add_n(self.cache)", "x = sum(self.cache[1:], self.cache[0])"),
    "made otherwise": ("            x = -x\n", "            x = 0.0 - x\n"),
    "a context": ("v.assign(0.5 * s)", "v.assign(s / 2.0)"),
}
WRONG = {
    "a function that is returned": ("variable * tf.reduce_max", "variable * tf.reduce_min"),
    "the other one": ("return train, evaluate", "return evaluate, train"),
    "a lambda": ("delta * tf.abs(x)", "tf.abs(x)"),
    "starred": ("tf.logical_and(out, mask)", "tf.logical_or(out, mask)"),
    "a loss with its gradients": ("rho * gradient", "gradient"),
    "the share of a momentum": ("(1.0 - momentum) * o)", "(1.0 - momentum) * o * 1.001)"),
    "after another method": ("x = tf.add_n(self.cache)", "x = self.cache[-1]"),
    "made otherwise": ("            x = -x\n", "            x = x + 0.0\n"),
    "a container that is a copy": ('{"seen": self.seen}', '{"seen": list(self.seen)}'),
    "in a context": ("v.assign(0.5 * s)", "v.assign(s)"),
    "after a context": ("            v.assign(k)", "            k + v"),
}


@pytest.mark.parametrize("name", RIGHT)
def test_equivalent(verify: Verify, name: str) -> None:
    """A right rewrite of one of them is equivalent, and enough was seen to say so."""
    assert LIBRARY.count(RIGHT[name][0]) == 1
    verdicts = verify(LIBRARY, LIBRARY.replace(*RIGHT[name]), power=True)
    assert set(outcomes(verdicts).values()) == {"equivalent"}, verdicts


@pytest.mark.parametrize("name", WRONG)
def test_differs(verify: Verify, name: str) -> None:
    """A wrong one is refuted."""
    assert LIBRARY.count(WRONG[name][0]) == 1
    assert is_refuted(verify(LIBRARY, LIBRARY.replace(*WRONG[name]), power=True))


def test_a_dimension_more(verify: Verify) -> None:
    """Nobody says that arguments with a dimension more are meant: neither refuted nor equivalent."""
    (verdict,) = verify(LIBRARY, LIBRARY.replace("tf.range(3.0), axis=-1", "tf.range(3.0), axis=1"))
    assert verdict.outcome.value == "not checked"
    assert "a dimension more" in verdict.reason


def test_setting_that_moved(verify: Verify) -> None:
    """A key that no code mentions any more is looked for by its value; a result that is lost differs."""
    text = textwrap.dedent(
        """\
        CONFIG = {"rate": 0.25, "draws": 2}
        RESULTS = {"mean": 0.0, "last": 0.0}

        def main():
            for draw in range(CONFIG["draws"]):
                RESULTS["mean"] += CONFIG["rate"] * draw
                RESULTS["last"] = 3.0 + draw

        main()
        """
    )
    moved = text.replace('"rate": 0.25, ', "").replace('CONFIG["rate"]', "0.25")
    assert set(outcomes(verify(text, moved)).values()) == {"equivalent"}
    lost = text.replace('        RESULTS["last"] = 3.0 + draw\n', "").replace(', "last": 0.0', "")
    assert is_refuted(verify(text, lost))
