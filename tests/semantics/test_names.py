from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.semantics.conftest import expression
from tfxla_lint.semantics.model import SemanticModel
from tfxla_lint.semantics.names import canonical

Build = Callable[[str], SemanticModel]


@pytest.mark.parametrize(
    ("code", "text", "name"),
    [
        ("import tensorflow as tf\ntf.function", "tf.function", "tensorflow.function"),
        ("import tensorflow\ntensorflow.zeros", "tensorflow.zeros", "tensorflow.zeros"),
        ("from tensorflow import keras\nkeras.Model", "keras.Model", "tensorflow.keras.Model"),
        ("import keras\nkeras.Model", "keras.Model", "tensorflow.keras.Model"),
        ("import tf_keras as k\nk.Model", "k.Model", "tensorflow.keras.Model"),
        ("import tensorflow.compat.v2 as tf\ntf.abs", "tf.abs", "tensorflow.abs"),
        ("import tensorflow.compat.v1 as tf\ntf.abs", "tf.abs", "tensorflow.abs"),
        (
            "import tensorflow.compat.v1 as tf\ntf.GradientTape",
            "tf.GradientTape",
            "tensorflow.GradientTape",
        ),
        (
            "import tensorflow.compat.v1 as tf\ntf.train.AdamOptimizer",
            "tf.train.AdamOptimizer",
            "tensorflow.compat.v1.train.AdamOptimizer",
        ),
        (
            "import tensorflow.compat.v1 as tf\ntf.reduce_sum",
            "tf.reduce_sum",
            "tensorflow.compat.v1.reduce_sum",
        ),
        (
            "import tensorflow as tf\nK = tf.keras.backend\nK.mean",
            "K.mean",
            "tensorflow.keras.backend.mean",
        ),
        (
            "from tensorflow.keras.layers import Dense as D\nD",
            "D",
            "tensorflow.keras.layers.Dense",
        ),
        (
            "import tensorflow.keras.layers as L\nL.Dense",
            "L.Dense",
            "tensorflow.keras.layers.Dense",
        ),
        (
            "from tensorflow.python import keras\nkeras.Model",
            "keras.Model",
            "tensorflow.keras.Model",
        ),
        (
            "from tensorflow.python.keras import layers\nlayers.Dense",
            "layers.Dense",
            "tensorflow.keras.layers.Dense",
        ),
        (
            "from tensorflow.python.keras.utils import conv_utils\nconv_utils.nothing",
            "conv_utils.nothing",
            "tensorflow.python.keras.utils.conv_utils.nothing",
        ),
        ("print", "print", "builtins.print"),
        (
            "try:\n    import tensorflow as tf\nexcept ImportError:\n    tf = None\ntf.abs",
            "tf.abs",
            "tensorflow.abs",
        ),
    ],
)
def test_resolves(build: Build, code: str, text: str, name: str) -> None:
    model = build(code)
    assert model.names.one(expression(model, text)) == name


def test_two_imports_give_both_meanings(build: Build) -> None:
    model = build(
        "try:\n    import jax.numpy as np\nexcept ImportError:\n    import numpy as np\nnp.sum\n"
    )
    assert model.names.of(expression(model, "np.sum")) == {"jax.numpy.sum", "numpy.sum"}


def test_a_shadowed_name_means_nothing(build: Build) -> None:
    model = build("import tensorflow as tf\ndef f(tf):\n    return tf.abs\n")
    assert model.names.of(expression(model, "tf.abs")) == frozenset()


def test_a_rebound_name_means_nothing(build: Build) -> None:
    model = build("import tensorflow as tf\ntf = wrap(tf)\ntf.abs\n")
    assert model.names.of(expression(model, "tf.abs")) == frozenset()


def test_canonical_is_idempotent() -> None:
    for name in ("keras.layers.Dense", "tensorflow.compat.v2.keras.Model", "numpy.sum"):
        assert canonical(canonical(name)) == canonical(name)
