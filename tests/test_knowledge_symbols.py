from __future__ import annotations

import pytest

from tfxla_lint.knowledge import near, symbols
from tfxla_lint.knowledge.parameters import parse, render


def names_of(name: str, version: tuple[int, int] | None = None) -> list[str]:
    symbol = symbols.find(name, version)
    assert symbol is not None
    return [p.name for p in symbol.params or ()]


def test_a_function_and_its_alias() -> None:
    assert names_of("tensorflow.reduce_mean") == ["input_tensor", "axis", "keepdims", "name"]
    symbol = symbols.find("tensorflow.reduce_mean")
    assert symbol is not None
    assert symbol.canonical == "tensorflow.math.reduce_mean"
    assert symbol.kind == "function"
    assert (symbol.since, symbol.until) == (None, None)


def test_a_name_of_many_parts_is_looked_up_once_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up: list[str] = []
    entry = symbols._entry

    def noting(name: str) -> object:
        looked_up.append(name)
        return entry(name)

    monkeypatch.setattr(symbols, "_entry", noting)
    assert symbols.find("tensorflow" + ".absent" * 200) is None
    assert len(looked_up) <= 200


def test_compat_v2_repeats_the_api() -> None:
    symbol = symbols.find("tensorflow.compat.v2.math.abs")
    assert symbol is not None
    assert symbol.canonical == "tensorflow.math.abs"


@pytest.mark.parametrize(
    "name",
    [
        "tensorflow.experimental.async_data_transfer",
        "tensorflow.experimental.tensor_slicing",
        "tensorflow.Session",
        "tensorflow.contrib",
        "tensorflow.contrib.layers.flatten",
        "tensorflow.keras.layers.Dence",
        "tensorflow.data.Dataset.from_tensors_slices",
    ],
)
def test_names_that_do_not_exist(name: str) -> None:
    assert symbols.missing(name)
    assert not symbols.exists(name)


@pytest.mark.parametrize(
    "name",
    [
        "tensorflow.python.ops.anything",
        "tensorflow._private",
        "tensorflow.float32.anything",
        "tensorflow.core.framework.graph_pb2",
        "keras.src.layers",
        "numpy.array",
        "tensorflow.summary.scalar",
        "tensorflow.keras.saving.register_keras_serializable",
        "tensorflow.__version__",
        "tensorflow.experimental.async_scope",
        "tensorflow.compat.v2.enable_v2_behavior",
        "tensorflow.config.PhysicalDevice.name",
    ],
)
def test_what_is_there_or_unknown_is_not_missing(name: str) -> None:
    assert not symbols.missing(name)


def test_keras_two_and_three_differ() -> None:
    name = "tensorflow.keras.losses.mean_squared_error"
    assert symbols.exists(name, (2, 15))
    assert symbols.missing(name, (2, 21))
    assert symbols.exists("keras.losses.mean_squared_error", (2, 21))


def test_the_implementation_that_old_keras_shows_is_unknown() -> None:
    assert not symbols.missing("keras.layers.core.Dense", (2, 12))
    assert symbols.missing("keras.layers.core.Dense", (2, 15))


def test_estimator_went() -> None:
    symbol = symbols.find("tensorflow.estimator.Estimator")
    assert symbol is not None
    assert symbol.until == (2, 15)


def test_versions_between_covered_ones_are_judged_by_both() -> None:
    assert symbols.exists("tensorflow.estimator.Estimator", (2, 14))
    assert not symbols.exists("tensorflow.estimator.Estimator", (2, 17))
    assert symbols.exists("tensorflow.abs", (2, 99))


def test_unknown_keywords_behind_double_star() -> None:
    name = "tensorflow.keras.optimizers.Adam.apply_gradients"
    old = symbols.find(name, (2, 15))
    new = symbols.find(name, (2, 21))
    assert old is not None
    assert new is not None
    assert old.accepts("asynchronous") is False
    assert old.accepts("experimental_aggregate_gradients") is True
    assert new.accepts("asynchronous") is False
    assert new.accepts("experimental_aggregate_gradients") is False


def test_layer_keywords_come_from_the_base_class() -> None:
    for version in ((2, 12), (2, 15), (2, 16), (2, 21)):
        dense = symbols.find("tensorflow.keras.layers.Dense", version)
        assert dense is not None
        assert dense.accepts("input_shape")
        assert dense.accepts("name")
        assert dense.accepts("output_dim") is False


def test_renamed_arguments_of_tf_function() -> None:
    function = symbols.find("tensorflow.function")
    assert function is not None
    assert function.deprecated_arguments["experimental_compile"] == "jit_compile"
    assert function.deprecated_arguments["experimental_relax_shapes"] == "reduce_retracing"
    assert function.accepts("xla") is False


def test_methods_are_inherited() -> None:
    model = symbols.find("tensorflow.keras.Model")
    assert model is not None
    assert {"fit", "predict", "add_weight", "trainable_variables"} <= set(model.methods)
    assert model.methods["fit"].kind == "method"
    assert model.methods["trainable_variables"].kind == "property"


def test_enumerations_have_values() -> None:
    symbol = symbols.find("tensorflow.image.ResizeMethod.BICUBIC")
    assert symbol is not None
    assert symbol.value == "'bicubic'"


def test_near_names() -> None:
    assert near.near("tensorflow.log")[0] == "tensorflow.math.log"
    assert near.near("tensorflow.keras.layers.Dence") == ["tensorflow.keras.layers.Dense"]
    assert "tensorflow.reduce_mean" in near.near("tensorflow.mean")
    assert near.in_compat_v1("tensorflow.Session") == "tensorflow.compat.v1.Session"
    assert near.renamed("tensorflow.log") == "tensorflow.math.log"


def test_parameter_lines() -> None:
    params = parse("a b=None / c *args d=1 **kw(x,y)")
    assert params is not None
    assert render(params) == "a, b=None, /, c, *args, d=1, **kw"
    assert [p.kind for p in params][:2] == ["positional-only", "positional-only"]
    assert sorted(params[-1].known or ()) == ["x", "y"]
    assert parse("?") is None
    assert parse("") == ()
    only = parse("a * b")
    assert only is not None
    assert render(only) == "a, *, b"


def test_a_member_lives_as_long_as_a_class_has_it() -> None:
    """Keras 3 made other classes of optimizers, under the same names."""
    minimize = symbols.find("tensorflow.keras.optimizers.Adam.minimize")
    assert minimize is not None
    assert minimize.until == (2, 15)
    assert not symbols.exists("tensorflow.optimizers.Adam.minimize", (2, 21))
    apply = symbols.find("tensorflow.keras.optimizers.Adam.apply")
    assert apply is not None
    assert apply.since == (2, 16)


def test_a_model_takes_inputs_and_no_input() -> None:
    model = symbols.find("tensorflow.keras.Model")
    assert model is not None
    assert model.accepts("inputs")
    assert model.accepts("name")
    assert model.accepts("input") is False
