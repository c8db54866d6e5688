"""The shapes and dtypes that the model infers are those that TensorFlow and NumPy give."""

from __future__ import annotations

import libcst as cst
import pytest

from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.values import Value
from tfxla_lint.source import Source

np = pytest.importorskip("numpy")

HEADER = """import numpy as np
import tensorflow as tf
a = tf.ones([3, 4])
b = tf.zeros([2, 3, 4])
v = tf.Variable(tf.ones([4]))
i = tf.constant([[1, 2, 2], [0, 1, 2]])
n = np.zeros((3, 4), np.float32)
m = np.ones((3, 4))
layer = tf.keras.layers.Dense(7)
"""

EXPRESSIONS = """
a + 1
1.0 - a
a * v
a + b
a / 2
i / 2
i // 2
i + 1
a > 0
a[0]
a[0, 1]
a[:, 1:]
a[..., 0]
b[..., None]
a[None]
a[::2, ::-1]
a[-1]
b[0][1]
n[1:, :2]
-v
a @ tf.ones([4, 5])
b @ tf.ones([4, 6])
tf.matmul(a, b, transpose_b=True)
tf.matmul(a, tf.ones([4, 2]))
tf.square(a)
tf.exp(v)
tf.math.log(a)
tf.maximum(a, 0.0)
tf.equal(i, 1)
tf.reduce_sum(a)
tf.reduce_sum(a, axis=1)
tf.reduce_mean(b, axis=[0, 2])
tf.reduce_max(b, axis=-1, keepdims=True)
tf.reduce_all(a > 0)
tf.reduce_any(a > 0, axis=0)
tf.argmax(a, axis=1)
tf.argmax(a)
tf.argmin(b, axis=-1, output_type=tf.int32)
tf.concat([a, a], 0)
tf.concat([a, a], axis=1)
tf.concat([b, b], axis=-2)
tf.stack([a, a, a])
tf.stack([a, a], axis=1)
tf.stack([a, a], axis=-1)
tf.expand_dims(a, 0)
tf.expand_dims(a, -1)
tf.squeeze(tf.ones([1, 3, 1]))
tf.squeeze(tf.ones([1, 3, 1]), axis=0)
tf.transpose(a)
tf.transpose(b, [0, 2, 1])
tf.reshape(a, [2, 6])
tf.reshape(a, [-1])
tf.reshape(a, (4, -1))
tf.one_hot([1, 2], 5)
tf.one_hot(i, 10)
tf.one_hot(i, 10, dtype=tf.int32)
tf.where(a > 0, a, 0.0)
tf.where(a > 0, 1.0, 0.0)
tf.range(10)
tf.range(2, 10, 3)
tf.range(3.0)
tf.linspace(0.0, 1.0, 11)
tf.eye(3)
tf.eye(3, dtype=tf.float64)
tf.zeros_like(a)
tf.zeros_like(a, dtype=tf.int32)
tf.ones_like(i)
tf.fill([2, 3], 1.0)
tf.zeros(5)
tf.zeros([2, 3], tf.int64)
tf.ones((2,), dtype="float64")
tf.zeros([2], dtype=float)
tf.random.normal([8, 2])
tf.random.normal([8], 0.0, 1.0, tf.float64)
tf.random.uniform((3,))
tf.random.uniform([3], 0, 5, tf.int32)
tf.random.uniform([3], maxval=5, dtype=tf.int64)
tf.gather(a, [0, 2])
tf.gather(a, i)
tf.gather(a, 1)
tf.gather(a, [0], axis=1)
tf.cast(a, tf.int32)
tf.cast(a > 0, "float32")
tf.constant(1.0)
tf.constant([1, 2, 3])
tf.constant([[1.0, 2.0]])
tf.constant([1, 2], tf.float32)
tf.constant(n)
tf.constant(m)
tf.convert_to_tensor(m)
tf.convert_to_tensor([1.0, 2.0], dtype=tf.float64)
tf.identity(v)
tf.clip_by_value(a, 0.0, 1.0)
tf.nn.softmax(a)
tf.nn.relu(b)
tf.tile(a, [2, 1])
tf.pad(a, [[1, 1], [0, 0]])
tf.boolean_mask(a, a > 0)
tf.shape(a)
tf.size(a)
tf.Variable([1.0, 2.0])
tf.Variable(1, dtype=tf.int64)
tf.abs(a)
tf.cumsum(a)
tf.math.is_nan(a)
tf.math.divide_no_nan(a, v)
layer(a)
tf.keras.layers.Flatten()(b)
tf.keras.layers.Dropout(0.5)(a)
tf.keras.layers.Embedding(10, 6)(i)
np.zeros((2, 3))
np.zeros(4, dtype=np.int32)
np.zeros(4, dtype=int)
np.ones([2], "float32")
np.random.rand(3, 2)
np.random.randn(5)
np.random.normal(size=(2, 3))
np.random.uniform(0, 1, 4)
np.random.randint(0, 5, size=3)
np.array([1.0, 2.0])
np.array([[1, 2], [3, 4]])
np.array([1, 2], dtype=np.float32)
np.array(n)
n.astype("float64")
n.reshape(4, 3)
n + 1
n * n
m + n
"""
LINES = [line for line in EXPRESSIONS.splitlines() if line]


@pytest.fixture(scope="module")
def inferred() -> dict[str, Value]:
    """What the model says of each expression."""
    text = HEADER + "".join(f"x{k} = {line}\n" for k, line in enumerate(LINES))
    module = cst.parse_module(text)
    model = SemanticModel.build(module, Source("example.py", text))
    values = [model.value(node.value) for node in model.nodes(cst.Assign)]
    return dict(zip(LINES, values[-len(LINES) :], strict=True))


@pytest.fixture(scope="module")
def names() -> dict[str, object]:
    """The names that the expressions read; no earlier, for collecting needs no TensorFlow."""
    pytest.importorskip("tensorflow")
    found: dict[str, object] = {}
    exec(HEADER, found)
    return found


@pytest.mark.parametrize("line", LINES)
def test_agrees(line: str, inferred: dict[str, Value], names: dict[str, object]) -> None:
    value = inferred[line]
    actual = eval(line, names)
    assert value.dtype in (None, np.dtype(actual.dtype.name).name)
    if value.shape is not None:
        sizes = tuple(actual.shape)
        known = [size for size in value.shape if size is not ...]
        assert len(known) == len(sizes) or (... in value.shape and len(known) <= len(sizes))
        pairs = zip(known, sizes[: len(known)], strict=True)
        assert all(size in (None, real) for size, real in pairs), (value.shape, sizes)


def test_most_are_known(inferred: dict[str, Value]) -> None:
    known = [v for v in inferred.values() if v.shape is not None and v.dtype is not None]
    assert len(known) > 0.75 * len(inferred)
