"""Whether a module is TensorFlow 1."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.api.shared.eras import is_tensorflow_1_name, tensorflow_1
from tfxla_lint.semantics.model import SemanticModel

Build = Callable[[str], SemanticModel]
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Session", True),
        ("layers.dense", True),
        ("flags.FLAGS.rate", True),
        ("contrib.slim.conv2d", True),
        ("keras.backend.get_session", True),
        ("compat.v1.Session", False),
        ("estimator.Estimator", False),
        ("keras.losses.mean_squared_error", False),
        ("experimental.async_data_transfer", False),
        ("reduce_sum", False),
        ("python.framework.ops", False),
    ],
)
def test_names(name: str, expected: bool) -> None:
    assert is_tensorflow_1_name("tensorflow." + name) is expected


@pytest.mark.parametrize(
    "code",
    [
        "tf.compat.v1.disable_v2_behavior()",
        "if tf.executing_eagerly():\n    tf.compat.v1.disable_eager_execution()",
        "if __name__ == '__main__':\n    tf.compat.v1.disable_v2_behavior()",
        "def main():\n    tf.compat.v1.disable_v2_behavior()",
        "if tf.__version__ >= '2':\n    tf.compat.v1.disable_v2_behavior()",
        "x = tf.placeholder(tf.float32)\ny = tf.nn.relu(x)",
        "with tf.Session() as session:\n    session.run(tf.constant(1))",
        "tf.get_variable('a')\n" + "tf.log(1.0)\n" * 8 + "tf.reduce_sum(1)\n" * 50,
        "v = tf.compat.v1\nv.placeholder(1)\nv.get_variable('a')\nv.Session()",
        "v = tf.compat.v1\nv.get_variable('a')\nv.train.AdamOptimizer()\nv.losses.log_loss(1, 1)",
        "p = tf.compat.v1.placeholder(1)\ntf.compat.v1.Session()\n"
        "tf.compat.v1.global_variables_initializer()\ntf.reduce_sum(p)",
        "from tensorflow.contrib import slim\nwith tf.GradientTape():\n    tf.get_variable('a')\n"
        "tf.placeholder(tf.float32)\ntf.train.AdamOptimizer()",
    ],
)
def test_old(build: Build, code: str) -> None:
    assert tensorflow_1(build(HEAD + code)) is not None


@pytest.mark.parametrize(
    "code",
    [
        "with tf.GradientTape():\n    tf.get_variable('a')\ntf.placeholder(tf.float32)",
        "try:\n    from tensorflow.contrib import slim\nexcept ImportError:\n    slim = None\n"
        "with tf.GradientTape():\n    tf.get_variable('a')\ntf.placeholder(tf.float32)",
        "tf.log(1.0)",
        "def use_graphs():\n    tf.compat.v1.disable_v2_behavior()",
        "if arguments.graph:\n    tf.compat.v1.disable_v2_behavior()",
        "x = tf.placeholder(tf.float32)\n@tf.function\ndef f(): ...",
        "tf.keras.backend.set_session(tf.Session())",
        "with tf.compat.v1.Session() as session: ...",
        "x = tf.placeholder(tf.float32)\n" + "tf.reduce_sum(1)\n" * 8,
        "tf.compat.v1.global_variables_initializer()\n" * 3 + "tf.keras.layers.Dense(1)",
        "o = tf.compat.v1.train.AdamOptimizer()\nl = tf.compat.v1.losses.log_loss(1, 1)\n"
        "v = tf.compat.v1.get_variable('a')\ntf.reduce_sum(v)",
    ],
)
def test_new(build: Build, code: str) -> None:
    assert tensorflow_1(build(HEAD + code)) is None
