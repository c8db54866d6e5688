from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.tracing.tape_reused.tapes import reuses, simple_tapes, unwatched_sources
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\nx = tf.Variable(1.0)\nc = tf.constant(1.0)\n"
OPEN = "with tf.GradientTape() as t:\n    y = x * x\n"
ASK = "t.gradient(y, x)\n"


def reused(model: SemanticModel) -> int:
    return sum(len(reuses(model, tape)) for tape in simple_tapes(model))


def function(body: str) -> str:
    return HEAD + "def f(a, b):\n" + "".join(f"    {line}\n" for line in body.splitlines())


def indented(code: str) -> str:
    return "".join(f"    {line}\n" for line in code.splitlines())


@pytest.mark.parametrize(
    "body",
    [
        OPEN + ASK + ASK,
        OPEN + ASK + "if a:\n" + indented(ASK),
        OPEN + "if a:\n" + indented(ASK) + ASK,
        OPEN + "for i in b:\n" + indented(ASK),
        OPEN + "while a:\n" + indented(ASK),
        OPEN + "return [t.gradient(y, v) for v in b]",
        OPEN + "g = t.gradient(y, x) if a else t.gradient(x, x)\n" + ASK,
        OPEN + "try:\n" + indented(ASK) + "finally:\n" + indented(ASK),
        "with tf.GradientTape() as t:\n    y = x * x\n" + indented(ASK) + ASK,
        OPEN.replace("()", "(persistent=False)") + ASK + "t.jacobian(y, x)",
        "for i in b:\n" + indented(OPEN + ASK + ASK),
        "with tf.GradientTape() as outer:\n" + indented(OPEN + ASK + ASK),
    ],
)
def test_tape_is_reused(build: Build, body: str) -> None:
    assert reused(build(function(body))) > 0


@pytest.mark.parametrize(
    "body",
    [
        OPEN + ASK,
        OPEN.replace("()", "(persistent=True)") + ASK + ASK,
        OPEN.replace("()", "(a)") + ASK + ASK,
        OPEN + "if a:\n" + indented(ASK) + "else:\n" + indented(ASK),
        OPEN + "if a:\n    return t.gradient(y, x)\n" + ASK,
        OPEN + "if a:\n" + indented(ASK) + "if b:\n" + indented(ASK),
        OPEN + "for i in b:\n" + indented(ASK + "break\n"),
        OPEN + "for i in b:\n    if i:\n        continue\n" + indented(ASK + "break\n"),
        OPEN + "for i in range(1):\n" + indented(ASK),
        OPEN + "try:\n" + indented(ASK) + "except ValueError:\n" + indented(ASK),
        OPEN + "for g in t.gradient(y, [x, x]):\n    print(g)",
        OPEN + "return [g for g in t.gradient(y, [x, x])]",
        "for i in b:\n" + indented(OPEN + ASK),
        OPEN + ASK + OPEN + ASK,
        OPEN + ASK + "t = a\n" + ASK,
        OPEN + ASK + "t.reset()\n" + ASK,
        OPEN + ASK + "with t:\n    y = x\n" + ASK,
        OPEN + ASK + "b(t)\n" + ASK,
        OPEN + "g = lambda: t.gradient(y, x)\ng()\ng()",
    ],
)
def test_tape_is_not_surely_reused(build: Build, body: str) -> None:
    assert reused(build(function(body))) == 0


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("with tf.GradientTape() as t:\n    y = c * c\nt.gradient(y, c)", 1),
        ("with tf.GradientTape() as t:\n    y = c * x\nt.gradient(y, [x, c])", 1),
        ("with tf.GradientTape() as t:\n    y = x * x\nt.gradient(y, x)", 0),
        ("with tf.GradientTape() as t:\n    t.watch(c)\n    y = c * c\nt.gradient(y, c)", 0),
        ("with tf.GradientTape() as t:\n    y = a * a\nt.gradient(y, a)", 0),
        ("with tf.GradientTape() as t:\n    z = tf.square(x)\n    y = z\nt.gradient(y, z)", 0),
    ],
)
def test_unwatched_sources(build: Build, body: str, count: int) -> None:
    model = build(function(body))
    found = [s for tape in simple_tapes(model) for s in unwatched_sources(model, tape)]
    assert len(found) == count
