from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.xla.xla_unsupported_op.detect import unsupported_ops
from tfxla_lint.semantics.compiled import compiled_units
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import functools\nimport tensorflow as tf\njit = tf.function(jit_compile=True)\n"
BAD = "    tf.print(x)\n    return x\n"


def unsupported(model: SemanticModel) -> list[str]:
    return [found.what for c in compiled_units(model) for found in unsupported_ops(model, c.unit)]


@pytest.mark.parametrize(
    "code",
    [
        "@tf.function(jit_compile=True)\ndef f(x):\n" + BAD,
        "@tf.function(experimental_compile=True)\ndef f(x):\n" + BAD,
        "@functools.partial(tf.function, jit_compile=True)\ndef f(x):\n" + BAD,
        "def f(x):\n" + BAD + "g = tf.function(f, jit_compile=True)\n",
        "def f(x):\n" + BAD + "@jit\ndef g(x):\n    return f(x)\n",
        "@tf.function\ndef f(x):\n" + BAD + "@jit\ndef g(x):\n    return f(x)\n",
        "def f(x):\n" + BAD + "@jit\ndef g(x):\n    return tf.map_fn(f, x)\n",
        "class M(tf.keras.Model):\n    def call(self, x):\n        tf.print(x)\n"
        "m = M()\nm.compile(jit_compile=True)\n",
    ],
)
def test_finds_what_is_compiled(build: Build, code: str) -> None:
    assert unsupported(build(HEAD + code)) == ["`PrintV2`, `StringFormat` (`tf.print`)"]


@pytest.mark.parametrize(
    "code",
    [
        "@tf.function\ndef f(x):\n" + BAD,
        "@tf.function(jit_compile=False)\ndef f(x):\n" + BAD,
        "@tf.function(jit_compile=flag)\ndef f(x):\n" + BAD,
        "@jit\ndef f(x):\n    if flag:\n        tf.print(x)\n    return x\n",
        "@jit\ndef f(x):\n    if not flag:\n        return x\n" + BAD,
        "def f(x):\n" + BAD + "@jit\ndef g(x):\n    return f(x) if flag else x\n",
        "@jit\ndef f(x):\n    def inner(x):\n        tf.print(x)\n    return x\n",
        "class M(tf.keras.Model):\n    def call(self, x):\n        tf.print(x)\n"
        "m = M()\nm.compile(jit_compile=flag)\n",
    ],
)
def test_leaves_alone_what_may_not_be_compiled(build: Build, code: str) -> None:
    assert unsupported(build(HEAD + code)) == []


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("tf.linalg.det(x)", 1),
        ("tf.linalg.inv(x)", 0),
        ("tf.image.resize(x, (2, 2))", 0),
        ("tf.image.resize(x, (2, 2), 'bicubic')", 1),
        ("tf.image.resize(x, (2, 2), method=tf.image.ResizeMethod.AREA)", 1),
        ("tf.image.resize(x, (2, 2), method=how)", 0),
        ("tf.strings.length('a')", 0),
        ("tf.strings.length(x)", 1),
        ("tf.timestamp()", 1),
    ],
)
def test_judges_calls_by_their_arguments(build: Build, call: str, count: int) -> None:
    assert len(unsupported(build(f"{HEAD}@jit\ndef f(x):\n    return {call}\n"))) == count
