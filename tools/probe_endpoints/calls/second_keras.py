"""Seed 20261122: Keras functions."""

from __future__ import annotations

import tensorflow as tf

from tools.probe_endpoints.case import Builder, below, between, case, normal, photo, simplex

keras = tf.keras
ops = tf.keras.ops
K = tf.keras.backend

CALLS: dict[str, Builder] = {
    "keras.activations.celu": lambda: case(lambda x: keras.activations.celu(x, 0.8), normal(9)),
    "keras.activations.hard_sigmoid": lambda: case(keras.activations.hard_sigmoid, normal(4, 4)),
    "keras.activations.selu": lambda: case(keras.activations.selu, normal(4, 4)),
    "keras.activations.sparse_sigmoid": lambda: case(
        lambda x: keras.activations.sparse_sigmoid(x), 3.0 * normal(12)
    ),
    "keras.backend.argmin": lambda: case(lambda x: K.argmin(x), normal(6, 3)),
    "keras.backend.batch_dot": lambda: case(
        lambda a, b: K.batch_dot(a, b, axes=1), normal(5, 4), normal(5, 4)
    ),
    "keras.backend.concatenate": lambda: case(
        lambda a, b: K.concatenate([a, b], axis=1), normal(2, 3), normal(2, 1)
    ),
    "keras.backend.constant": lambda: case(
        lambda x: x * K.constant([1.0, 2.0, 3.0]), normal(2, 3), own=("Mul",)
    ),
    "keras.backend.foldl": lambda: case(
        lambda x: K.foldl(lambda a, b: a * 0.5 + b, x), normal(5, 2)
    ),
    "keras.backend.is_int_dtype": lambda: case(
        lambda x: x if K.is_int_dtype(x.dtype.name) else -x, below(4, 3)
    ),
    "keras.backend.log": lambda: case(K.log, between(0.5, 3.0, 6)),
    "keras.backend.mean": lambda: case(lambda x: K.mean(x, axis=[1, 2], keepdims=True), photo()),
    "keras.backend.not_equal": lambda: case(K.not_equal, below(3, 7), below(3, 7)),
    "keras.backend.pool2d": lambda: case(
        lambda x: K.pool2d(x, (3, 3), strides=(2, 2), padding="same"),
        photo(),
        literals={"padding": "'same'"},
    ),
    "keras.backend.repeat": lambda: case(lambda x: K.repeat(x, 4), normal(3, 5)),
    "keras.backend.reshape": lambda: case(lambda x: K.reshape(x, (-1, 6)), normal(2, 3, 4)),
    "keras.backend.round": lambda: case(K.round, 5.0 * normal(7)),
    "keras.backend.shape": lambda: case(lambda x: K.shape(x), normal(7, 2)),
    "keras.backend.softsign": lambda: case(K.softsign, normal(7)),
    "keras.backend.spatial_2d_padding": lambda: case(
        lambda x: K.spatial_2d_padding(x, ((1, 2), (0, 1))), photo()
    ),
    "keras.backend.transpose": lambda: case(K.transpose, below(9, 3, 4)),
    "keras.ops.argpartition": lambda: case(lambda x: ops.argpartition(x, 3), normal(9)),
    "keras.ops.array": lambda: case(lambda x: ops.array(x, dtype="float32"), below(9, 4)),
    "keras.ops.cast": lambda: case(lambda x: ops.cast(x, "bfloat16"), normal(4, 2)),
    "keras.ops.categorical_crossentropy": lambda: case(
        ops.categorical_crossentropy, tf.one_hot(below(4, 5), 4), simplex(5, 4)
    ),
    "keras.ops.concatenate": lambda: case(
        lambda a, b: ops.concatenate([a, b]), normal(2, 2), normal(3, 2)
    ),
    "keras.ops.conv_transpose": lambda: case(
        lambda x, w: ops.conv_transpose(x, w, strides=2, padding="same"),
        normal(1, 5, 5, 3),
        normal(3, 3, 2, 3),
    ),
    "keras.ops.cos": lambda: case(ops.cos, normal(3, 2)),
    "keras.ops.ctc_decode": lambda: case(
        lambda z, n: ops.ctc_decode(z, n, strategy="greedy"),
        normal(2, 8, 5),
        tf.constant([8, 6]),
        literals={"strategy": "'greedy'"},
    ),
    "keras.ops.dot_product_attention": lambda: case(
        ops.dot_product_attention, normal(2, 6, 2, 8), normal(2, 6, 2, 8), normal(2, 6, 2, 8)
    ),
    "keras.ops.erf": lambda: case(ops.erf, normal(8)),
    "keras.ops.erfc": lambda: case(ops.erfc, normal(8)),
    "keras.ops.fmin": lambda: case(ops.fmin, normal(6), normal(6)),
    "keras.ops.fori_loop": lambda: case(
        lambda x: ops.fori_loop(0, 5, lambda i, total: total * 1.1, x), normal(4)
    ),
    "keras.ops.hard_sigmoid": lambda: case(ops.hard_sigmoid, normal(5)),
    "keras.ops.histogram": lambda: case(
        lambda x: ops.histogram(x, bins=6, range=(-2.0, 2.0)), normal(40)
    ),
    "keras.ops.imag": lambda: case(ops.imag, tf.complex(normal(4), normal(4))),
    "keras.ops.image.scale_and_translate": lambda: case(
        lambda x, s, t: ops.image.scale_and_translate(x, (2, 20, 20, 3), s, t, (1, 2), "linear"),
        photo(),
        tf.constant([1.25, 1.25]),
        tf.constant([0.0, 1.0]),
    ),
    "keras.ops.image.ssim": lambda: case(
        lambda a, b: ops.image.ssim(a, b, max_val=1.0), photo(), photo()
    ),
    "keras.ops.in_top_k": lambda: case(
        lambda y, p: ops.in_top_k(y, p, k=3), below(7, 6), simplex(6, 7)
    ),
    "keras.ops.layer_normalization": lambda: case(
        lambda x, g, b: ops.layer_normalization(x, g, b, axis=-1),
        normal(4, 6),
        normal(6),
        normal(6),
    ),
    "keras.ops.left_shift": lambda: case(ops.left_shift, below(9, 5), below(4, 5)),
    "keras.ops.log2": lambda: case(ops.log2, between(0.5, 9.0, 5)),
    "keras.ops.logaddexp2": lambda: case(ops.logaddexp2, normal(5), normal(5)),
    "keras.ops.logsumexp": lambda: case(lambda x: ops.logsumexp(x, axis=1), normal(3, 7)),
    "keras.ops.maximum": lambda: case(ops.maximum, normal(3, 2), normal(3, 2)),
    "keras.ops.multiply": lambda: case(ops.multiply, normal(3, 2), normal(2)),
    "keras.ops.nanmean": lambda: case(
        lambda x: ops.nanmean(x), tf.constant([1.0, float("nan"), 4.0])
    ),
    "keras.ops.nansum": lambda: case(lambda x: ops.nansum(x, axis=1), normal(3, 5)),
    "keras.ops.pad": lambda: case(
        lambda x: ops.pad(x, ((1, 1), (2, 0)), mode="reflect"),
        normal(4, 5),
        literals={"mode": "'reflect'"},
    ),
    "keras.ops.percentile": lambda: case(lambda x: ops.percentile(x, 75.0, axis=0), normal(9, 2)),
    "keras.ops.ptp": lambda: case(lambda x: ops.ptp(x, axis=1), normal(3, 6)),
    "keras.ops.rfft": lambda: case(lambda x: ops.rfft(x), normal(2, 16)),
    "keras.ops.rms_normalization": lambda: case(
        lambda x, s: ops.rms_normalization(x, scale=s), normal(4, 6), between(0.5, 1.5, 6)
    ),
    "keras.ops.scatter": lambda: case(
        lambda i, v: ops.scatter(i, v, (6, 2)), tf.constant([[1], [3], [5]]), normal(3, 2)
    ),
    "keras.ops.size": lambda: case(
        lambda x: x / ops.cast(ops.size(x), x.dtype), normal(4, 2), own=("RealDiv", "Cast")
    ),
    "keras.ops.slogdet": lambda: case(ops.slogdet, normal(3, 3)),
    "keras.ops.std": lambda: case(lambda x: ops.std(x, axis=-1, keepdims=True), normal(3, 6)),
    "keras.ops.threshold": lambda: case(lambda x: ops.threshold(x, -0.1, 9.0), normal(8)),
    "keras.ops.trapezoid": lambda: case(lambda y: ops.trapezoid(y, dx=0.1), normal(11)),
    "keras.ops.triu": lambda: case(lambda x: ops.triu(x, k=1), normal(5, 5)),
    "keras.ops.trunc": lambda: case(ops.trunc, 4.0 * normal(8)),
    "keras.ops.view_as_real": lambda: case(ops.view_as_real, tf.complex(normal(3), normal(3))),
    "keras.ops.zeros": lambda: case(lambda x: ops.zeros((2,)) + x, normal(3, 2)),
    "keras.utils.bounding_boxes.compute_ciou": lambda: case(
        lambda a, b: keras.utils.bounding_boxes.compute_ciou(a, b, "xyxy"),
        tf.concat([between(0.0, 4.0, 5, 2), between(5.0, 9.0, 5, 2)], 1),
        tf.concat([between(0.0, 4.0, 5, 2), between(5.0, 9.0, 5, 2)], 1),
    ),
}
