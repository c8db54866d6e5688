"""Names and arguments that circulate in tutorials and generated code, and that do not exist."""

from __future__ import annotations

import pytest

from tfxla_lint.knowledge import tables
from tfxla_lint.linter import Linter
from tfxla_lint.registry import read_catalogue
from tfxla_lint.source import Source
from tfxla_lint.work import LintOptions

HEAD = "import tensorflow as tf\noptimizer = tf.keras.optimizers.Adam()\n"
VERSIONS = (None, (2, 4), (2, 14), *tables.covered(), (2, 30))


def codes(line: str, target: tuple[int, int] | None) -> list[str]:
    """The codes of what is said of one line, in code of family 5 and the tool's own."""
    catalogue = read_catalogue()
    enabled = frozenset(c for c in catalogue.codes if c.startswith(("TXL5", "TXL001")))
    linter = Linter(catalogue, LintOptions(enabled, enabled, target))
    return [f.code for f in linter.lint(Source("example.py", HEAD + line + "\n")).findings]


@pytest.mark.parametrize("target", VERSIONS)
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("tf.experimental.async_data_transfer(1)", "TXL501"),
        ("x = tf.experimental.tensor_slicing", "TXL501"),
        ("from tensorflow.experimental import tensor_slicing", "TXL501"),
        ("tf.experimental.async.enable()", "TXL001"),
        ("optimizer.apply_gradients([], asynchronous=True)", "TXL502"),
        ("tf.keras.optimizers.SGD().apply_gradients([], asynchronous=True)", "TXL502"),
        ("tf.function(jit=True)", "TXL502"),
        ("tf.function(print, xla=True)", "TXL502"),
        ("tf.data.Dataset.range(3).batch(2, drop_last=True)", "TXL502"),
        ("tf.function(experimental_compile=True)", "TXL504"),
        ("@tf.function(experimental_relax_shapes=True)\ndef f(x): ...", "TXL504"),
        ("tf.Session()\ntf.keras.layers.Dense(1)", "TXL503"),
    ],
)
def test_invented(line: str, code: str, target: tuple[int, int] | None) -> None:
    has_new_name = target is None or target >= (2, 9)
    assert codes(line, target) == ([code] if has_new_name or code != "TXL504" else [])


@pytest.mark.parametrize("target", VERSIONS)
@pytest.mark.parametrize(
    "line",
    [
        "optimizer.apply_gradients([])",
        "tf.function(jit_compile=True, reduce_retracing=True)",
        "tf.data.Dataset.range(3).batch(2, drop_remainder=True)",
        "tf.experimental.numpy.sum([1.0])",
        "tf.config.run_functions_eagerly(False)",
        "tf.keras.layers.Dense(1, input_shape=(2,), name='d', dtype='float32', trainable=False)",
    ],
)
def test_real(line: str, target: tuple[int, int] | None) -> None:
    assert codes(line, target) == []


@pytest.mark.parametrize("name", ["losses.mean_squared_error", "layers.DenseFeatures"])
@pytest.mark.parametrize("home", ["tf.keras", "tf.compat.v1.keras"])
def test_names_of_keras_2_stay_where_tf_keras_may_be_in_use(home: str, name: str) -> None:
    """A project that requires `tf_keras` chooses it with an environment variable."""
    text = f"import tensorflow as tf\n\nloss = {home}.{name}\n"
    catalogue = read_catalogue()
    enabled = frozenset({"TXL501"})
    for may_use, expected in ((False, 1), (True, 0)):
        options = LintOptions(enabled, enabled, (2, 18), None, may_use)
        assert len(Linter(catalogue, options).lint(Source("a.py", text)).findings) == expected


def test_what_is_gone_counts_where_a_newer_tensorflow_does_as_well() -> None:
    """Its fix is written for the oldest one all the same."""
    text = "import tensorflow as tf\n\noptimizer = tf.keras.optimizers.Adam(0.1)\n"
    text += "print(optimizer.lr)\ntf.function(experimental_relax_shapes=True)\n"
    catalogue = read_catalogue()
    enabled = frozenset({"TXL501", "TXL504"})
    for takes_newer, expected in ((False, []), (True, ["TXL501"])):
        options = LintOptions(enabled, enabled, (2, 4), takes_newer=takes_newer)
        found = Linter(catalogue, options).lint(Source("a.py", text)).findings
        assert [finding.code for finding in found] == expected


@pytest.mark.parametrize(
    ("line", "last"),
    [
        ("tf.keras.mixed_precision.experimental.Policy('mixed_float16')", (2, 8)),
        ("tf.train.experimental.DynamicLossScale()", (2, 8)),
        ("tf.data.experimental.StatsAggregator()", (2, 5)),
        ("tf.config.experimental.enable_mlir_graph_optimization()", (2, 11)),
    ],
)
def test_what_was_there_before_the_tables_is_no_invention(line: str, last: tuple[int, int]) -> None:
    assert codes(line, last) == []
    assert codes(line, (2, last[1] + 1)) == ["TXL501"]
    assert codes(line, None) == ["TXL501"]
