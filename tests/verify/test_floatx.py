"""A program's own `set_floatx` holds while it is verified, and no longer."""

from __future__ import annotations

from .conftest import Verify, outcomes

LAYER = """\
import tensorflow as tf

layer = tf.keras.layers.Dense(2, kernel_initializer="ones")


def apply(x):
    return layer(tf.convert_to_tensor(x))
"""
WIDE = LAYER.replace("\n\nlayer", '\n\ntf.keras.backend.set_floatx("float64")\nlayer', 1)
PROGRAM = "\nresult = apply([[1.3, 2.9]])\nkind = result.dtype.name\nassert kind == {!r}, kind\n"
NARROW = "tf.cast(tf.cast(layer(tf.convert_to_tensor(x)) / 7.0, tf.float32), tf.float64) * 7.0"


def test_floatx_holds_in_programs(verify: Verify) -> None:
    for text, kind in ((WIDE, "float64"), (LAYER, "float32"), (WIDE, "float64")):
        old = text + PROGRAM.format(kind)
        (verdict,) = verify(old, old.replace("def apply", "@tf.function\ndef apply"))
        assert (verdict.outcome.value, verdict.note) == ("equivalent", "")


def test_a_lost_precision_is_seen(verify: Verify) -> None:
    for text in (WIDE, WIDE + PROGRAM.format("float64")):
        new = text.replace("layer(tf.convert_to_tensor(x))", NARROW)
        assert outcomes(verify(text, new))["apply"] == "differs"
