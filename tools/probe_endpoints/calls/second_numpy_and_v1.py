"""Seed 20261122: `tf.compat.v1` and `tf.experimental.numpy`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tools.probe_endpoints.case import Builder, below, between, case, normal, photo, truth

v1 = tf.compat.v1
tnp = tf.experimental.numpy


def numpy_like(value: Any) -> Any:
    tnp.experimental_enable_numpy_behavior()
    return tf.identity(value)


CALLS: dict[str, Builder] = {
    "compat.v1.assert_integer": lambda: case(lambda x: v1.assert_integer(x), below(5, 3)),
    "compat.v1.global_variables": lambda: case(lambda: v1.global_variables()),
    "compat.v1.image.resize_image_with_pad": lambda: case(
        lambda x: v1.image.resize_image_with_pad(x, 9, 30), photo(1, 12, 20, 3)
    ),
    "compat.v1.initialize_all_variables": lambda: case(lambda: v1.initialize_all_variables()),
    "compat.v1.losses.absolute_difference": lambda: case(
        lambda y, p: v1.losses.absolute_difference(y, p, weights=0.5), normal(6, 2), normal(6, 2)
    ),
    "compat.v1.math.angle": lambda: case(v1.math.angle, tf.complex(normal(5), normal(5))),
    "compat.v1.math.atanh": lambda: case(v1.math.atanh, between(-0.7, 0.7, 3, 3)),
    "compat.v1.math.cos": lambda: case(v1.math.cos, normal(3, 3)),
    "compat.v1.math.erfcinv": lambda: case(v1.math.erfcinv, between(0.2, 1.8, 6)),
    "compat.v1.math.reciprocal_no_nan": lambda: case(
        v1.math.reciprocal_no_nan, tf.constant([0.0, 2.0, -4.0])
    ),
    "compat.v1.math.scalar_mul": lambda: case(lambda x: v1.math.scalar_mul(0.3, x), normal(4, 3)),
    "compat.v1.nn.convolution": lambda: case(
        lambda x, w: v1.nn.convolution(x, w, padding="VALID", strides=[2]),
        normal(2, 15, 3),
        normal(4, 3, 5),
    ),
    "compat.v1.nn.depthwise_conv2d": lambda: case(
        lambda x, w: v1.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"),
        normal(1, 6, 6, 2),
        normal(3, 3, 2, 1),
    ),
    "compat.v1.nn.fractional_max_pool": lambda: case(
        lambda x: v1.nn.fractional_max_pool(x, [1.0, 1.4, 1.4, 1.0])[0], normal(1, 10, 10, 1)
    ),
    "compat.v1.nn.softmax": lambda: case(lambda z: v1.nn.softmax(z, axis=-1), normal(3, 9)),
    "compat.v1.norm": lambda: case(lambda x: v1.norm(x, axis=1), normal(4, 5)),
    "compat.v1.random_poisson": lambda: case(
        lambda rate: v1.random_poisson(rate, [6]), between(1.0, 4.0, 2)
    ),
    "compat.v1.reduce_join": lambda: case(
        lambda s: v1.reduce_join(s, axis=1, separator=" "), tf.constant([["a", "b"], ["c", "d"]])
    ),
    "compat.v1.to_float": lambda: case(v1.to_float, below(9, 4)),
    "experimental.numpy.amax": lambda: case(lambda x: tnp.amax(x, axis=0), normal(5, 3)),
    "experimental.numpy.cumprod": lambda: case(lambda x: tnp.cumprod(x, axis=1), normal(2, 6)),
    "experimental.numpy.deg2rad": lambda: case(tnp.deg2rad, between(0.0, 180.0, 5)),
    "experimental.numpy.divide": lambda: case(tnp.divide, normal(4), between(1.0, 3.0, 4)),
    "experimental.numpy.empty_like": lambda: case(lambda x: tnp.empty_like(x), below(4, 3, 2)),
    "experimental.numpy.exp2": lambda: case(tnp.exp2, normal(7)),
    "experimental.numpy.experimental_enable_numpy_behavior": lambda: case(numpy_like, normal(2)),
    "experimental.numpy.eye": lambda: case(lambda x: tnp.matmul(x, tnp.eye(3, 5)), normal(2, 3)),
    "experimental.numpy.float_power": lambda: case(
        tnp.float_power, between(0.5, 2.0, 5), between(0.0, 3.0, 5)
    ),
    "experimental.numpy.full": lambda: case(lambda v: tnp.full((3, 2), v), tf.constant(1.5)),
    "experimental.numpy.greater_equal": lambda: case(tnp.greater_equal, normal(6), normal(6)),
    "experimental.numpy.imag": lambda: case(tnp.imag, tf.complex(normal(4), normal(4))),
    "experimental.numpy.less_equal": lambda: case(tnp.less_equal, below(5, 6), below(5, 6)),
    "experimental.numpy.logical_xor": lambda: case(tnp.logical_xor, truth(6), truth(6)),
    "experimental.numpy.max": lambda: case(
        lambda x: tnp.max(x, axis=(0, 1), keepdims=True), normal(3, 4, 2)
    ),
    "experimental.numpy.ravel": lambda: case(lambda x: tnp.ravel(x), below(9, 2, 2, 2)),
    "experimental.numpy.reciprocal": lambda: case(tnp.reciprocal, between(1.0, 5.0, 4)),
    "experimental.numpy.roll": lambda: case(lambda x: tnp.roll(x, 3), normal(4, 4)),
    "experimental.numpy.tan": lambda: case(tnp.tan, between(-1.0, 1.0, 4)),
    "experimental.numpy.transpose": lambda: case(
        lambda x: tnp.transpose(x, (2, 0, 1)), normal(2, 3, 4)
    ),
    "experimental.numpy.tri": lambda: case(lambda x: x * tnp.tri(5, dtype=x.dtype), normal(5, 5)),
    "experimental.numpy.var": lambda: case(lambda x: tnp.var(x), normal(4, 4)),
    "experimental.numpy.vdot": lambda: case(tnp.vdot, normal(6), normal(6)),
    "experimental.numpy.where": lambda: case(
        tnp.where, truth(5), normal(5), normal(5), literals={"x": "<given>"}
    ),
    "experimental.numpy.zeros": lambda: case(
        lambda x: x + tnp.zeros((4, 1), dtype=x.dtype), normal(4, 3)
    ),
}
