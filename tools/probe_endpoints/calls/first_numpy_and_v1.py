"""Seed 20261121: `tf.compat.v1` and `tf.experimental.numpy`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tools.probe_endpoints.case import Builder, below, between, case, normal, photo, truth

v1 = tf.compat.v1
tnp = tf.experimental.numpy


def grown(start: Any) -> Any:
    _, result = v1.while_loop(
        lambda turn, value: turn < 6,
        lambda turn, value: (turn + 1, value * 1.5),
        (tf.constant(0), start),
    )
    return result


def scoped(value: Any) -> Any:
    with v1.op_scope([value], None, "block"):
        return tf.identity(value)


def initialised(value: Any) -> Any:
    """The function makes an object; calling that is another matter."""
    return tf.identity(value) if callable(v1.initializers.he_uniform()) else None


def thin() -> Any:
    return tf.sparse.from_dense([[0.0, 2.0, 0.0], [1.5, 0.0, 3.0]])


CALLS: dict[str, Builder] = {
    "compat.v1.assert_greater": lambda: case(
        lambda a, b: v1.assert_greater(a, b, message="too small"),
        between(2.0, 3.0, 4),
        between(0.0, 1.0, 4),
        bad=(between(0.0, 1.0, 4), between(2.0, 3.0, 4)),
    ),
    "compat.v1.assert_rank_in": lambda: case(lambda x: v1.assert_rank_in(x, (1, 2)), normal(3, 3)),
    "compat.v1.boolean_mask": lambda: case(v1.boolean_mask, normal(8, 2), truth(8)),
    "compat.v1.confusion_matrix": lambda: case(
        lambda y, p: v1.confusion_matrix(y, p, num_classes=5), below(5, 20), below(5, 20)
    ),
    "compat.v1.expand_dims": lambda: case(lambda x: v1.expand_dims(x, -1), normal(4, 3)),
    "compat.v1.image.resize_image_with_pad": lambda: case(
        lambda x: v1.image.resize_image_with_pad(x, 20, 24), photo()
    ),
    "compat.v1.initialize_all_variables": lambda: case(lambda: v1.initialize_all_variables()),
    "compat.v1.initializers.he_uniform": lambda: case(initialised, normal(3)),
    "compat.v1.losses.sparse_softmax_cross_entropy": lambda: case(
        lambda y, z: v1.losses.sparse_softmax_cross_entropy(labels=y, logits=z),
        below(7, 12),
        normal(12, 7),
    ),
    "compat.v1.math.abs": lambda: case(v1.math.abs, normal(5)),
    "compat.v1.math.acosh": lambda: case(v1.math.acosh, between(1.5, 4.0, 5)),
    "compat.v1.math.asin": lambda: case(v1.math.asin, between(-0.8, 0.8, 5)),
    "compat.v1.math.atan": lambda: case(v1.math.atan, normal(2, 5)),
    "compat.v1.math.conj": lambda: case(v1.math.conj, tf.complex(normal(4), normal(4))),
    "compat.v1.math.mod": lambda: case(v1.math.mod, below(50, 6), below(6, 6) + 1),
    "compat.v1.math.reduce_euclidean_norm": lambda: case(
        lambda x: v1.math.reduce_euclidean_norm(x, axis=1), normal(4, 3)
    ),
    "compat.v1.math.round": lambda: case(v1.math.round, normal(9) * 4.0),
    "compat.v1.nn.conv1d": lambda: case(
        lambda x, w: v1.nn.conv1d(x, w, stride=1, padding="VALID"),
        normal(2, 10, 3),
        normal(3, 3, 4),
    ),
    "compat.v1.nn.conv3d": lambda: case(
        lambda x, w: v1.nn.conv3d(x, w, strides=[1, 1, 1, 1, 1], padding="SAME"),
        normal(1, 5, 5, 5, 2),
        normal(3, 3, 3, 2, 3),
    ),
    "compat.v1.nn.convolution": lambda: case(
        lambda x, w: v1.nn.convolution(x, w, padding="SAME", dilation_rate=[2, 2]),
        normal(1, 9, 9, 2),
        normal(3, 3, 2, 4),
    ),
    "compat.v1.nn.depth_to_space": lambda: case(
        lambda x: v1.nn.depth_to_space(x, 2), normal(1, 3, 3, 8)
    ),
    "compat.v1.nn.silu": lambda: case(v1.nn.silu, normal(3, 5)),
    "compat.v1.nn.weighted_moments": lambda: case(
        lambda x, w: v1.nn.weighted_moments(x, [0], w), normal(6, 3), between(0.1, 1.0, 6, 3)
    ),
    "compat.v1.op_scope": lambda: case(scoped, normal(3)),
    "compat.v1.sparse_reduce_max_sparse": lambda: case(
        lambda s: v1.sparse_reduce_max_sparse(s, axis=0), thin()
    ),
    "compat.v1.while_loop": lambda: case(grown, normal(3)),
    "experimental.numpy.arcsinh": lambda: case(tnp.arcsinh, normal(6)),
    "experimental.numpy.array_equal": lambda: case(tnp.array_equal, below(3, 5), below(3, 5)),
    "experimental.numpy.bitwise_xor": lambda: case(tnp.bitwise_xor, below(64, 5), below(64, 5)),
    "experimental.numpy.cbrt": lambda: case(tnp.cbrt, between(0.5, 8.0, 6)),
    "experimental.numpy.diag_indices": lambda: case(lambda: tnp.diag_indices(4)),
    "experimental.numpy.empty_like": lambda: case(tnp.empty_like, normal(3, 2)),
    "experimental.numpy.expand_dims": lambda: case(lambda x: tnp.expand_dims(x, 1), normal(3, 2)),
    "experimental.numpy.eye": lambda: case(lambda x: x + tnp.eye(4, dtype=x.dtype), normal(4, 4)),
    "experimental.numpy.flip": lambda: case(lambda x: tnp.flip(x, axis=0), normal(5, 2)),
    "experimental.numpy.isclose": lambda: case(tnp.isclose, normal(6), normal(6)),
    "experimental.numpy.isreal": lambda: case(tnp.isreal, tf.complex(normal(4), tf.zeros(4))),
    "experimental.numpy.logspace": lambda: case(
        lambda low, high: tnp.logspace(low, high, num=6), tf.constant(0.0), tf.constant(2.0)
    ),
    "experimental.numpy.max": lambda: case(lambda x: tnp.max(x, axis=1), normal(4, 6)),
    "experimental.numpy.min": lambda: case(lambda x: tnp.min(x), normal(4, 6)),
    "experimental.numpy.ndim": lambda: case(lambda x: tnp.ndim(x), normal(4, 6)),
    "experimental.numpy.ravel": lambda: case(tnp.ravel, normal(3, 4)),
    "experimental.numpy.remainder": lambda: case(
        tnp.remainder, between(0.0, 9.0, 6), between(1.0, 3.0, 6)
    ),
    "experimental.numpy.roll": lambda: case(
        lambda x, by: tnp.roll(x, by, axis=0), normal(6, 2), tf.constant(2)
    ),
    "experimental.numpy.rot90": lambda: case(lambda x: tnp.rot90(x, k=1), normal(3, 5)),
    "experimental.numpy.var": lambda: case(lambda x: tnp.var(x, axis=0), normal(7, 3)),
}
