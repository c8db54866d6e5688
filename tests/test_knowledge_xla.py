from __future__ import annotations

from tfxla_lint.knowledge import ops, xla


def test_op_table() -> None:
    assert ops.has_kernel("AddV2", "CPU") is True
    assert ops.has_kernel("AddV2", "GPU") is True
    assert ops.has_kernel("AddV2", "TPU") is None
    assert ops.has_kernel("StringLength") is False
    assert ops.has_kernel("NoSuchOp") is None
    assert ops.constant_inputs("Reshape") == ("shape",)


def test_dtypes_of_kernels() -> None:
    assert ops.takes_dtype("MatMul", "float32") is True
    assert ops.takes_dtype("MatMul", "uint8") is False
    assert ops.takes_dtype("Conv2D", "int32", device="CPU") is True
    assert ops.takes_dtype("Conv2D", "int32", device="GPU") is False


def test_kernels_that_came_later() -> None:
    assert ops.has_kernel("UniformQuantize", version=(2, 12)) is False
    assert ops.has_kernel("UniformQuantize", version=(2, 15)) is True
    assert ops.has_kernel("SegmentMaxV2", version=(2, 12)) is None
    assert ops.has_kernel("SegmentMaxV2", version=(2, 15)) is True


def test_raw_ops_have_the_kernel_list_for_a_source() -> None:
    verdict = xla.verdict("tensorflow.raw_ops.StringLength")
    assert verdict is not None
    assert verdict.source == "kernel list"
    assert verdict.status == "unsupported"
    assert not verdict.compiles


def test_arguments_that_change_the_verdict() -> None:
    verdict = xla.verdict("tensorflow.image.resize")
    assert verdict is not None
    assert verdict.compiles
    assert verdict.when({"method": "'bicubic'"}).ops == ("ResizeBicubic",)
    assert verdict.when({"method": "'bilinear'"}).compiles


def test_constant_arguments() -> None:
    verdict = xla.verdict("tensorflow.reshape")
    assert verdict is not None
    assert "shape" in verdict.const_args


def test_unknown_endpoints_have_no_verdict() -> None:
    assert xla.verdict("tensorflow.no_such_thing") is None
    assert xla.verdict("numpy.sum") is None


def test_a_given_argument_chooses_a_mode() -> None:
    """`tf.where` has a data-dependent shape only where it has a single argument."""
    verdict = xla.verdict("tensorflow.where")
    assert verdict is not None
    assert verdict.when({}).dynamic_shape
    assert not verdict.when({}, given=["condition", "x", "y"]).dynamic_shape
    assert verdict.when({"x": "0.0"}).status == "compiles"


def test_verdicts_know_their_version() -> None:
    old = xla.verdict("tensorflow.nn.ctc_loss", (2, 15))
    new = xla.verdict("tensorflow.nn.ctc_loss", (2, 16))
    assert old is not None
    assert old.status == "unsupported"
    assert new is not None
    assert new.compiles
    assert new.version == (2, 16)


def test_an_unprobed_version_is_judged_by_the_one_before() -> None:
    verdict = xla.verdict("tensorflow.nn.ctc_loss", (2, 14))
    assert verdict is not None
    assert verdict.version == (2, 12)


def test_an_unprobed_version_is_judged_by_one_with_the_same_keras() -> None:
    verdict = xla.verdict("tensorflow.nn.ctc_loss", (2, 17))
    assert verdict is not None
    assert verdict.version == (2, 16)


def test_what_came_later_has_no_verdict_before() -> None:
    assert xla.verdict("tensorflow.keras.ops.det", (2, 15)) is None
    assert xla.verdict("tensorflow.keras.ops.det", (2, 18)) is not None
