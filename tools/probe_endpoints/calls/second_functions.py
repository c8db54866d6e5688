"""Seed 20261122: functions and methods of `tf.*`."""

from __future__ import annotations

import tempfile
from typing import Any

import tensorflow as tf

from tools.probe_endpoints.case import Builder, Case, below, between, case, normal, photo


def spotted() -> Any:
    return tf.sparse.from_dense([[0, 5, 0, 1], [2, 0, 0, 0], [0, 0, 7, 4]])


def scattered(method: str, *arguments: Any) -> Case:
    """A variable changed in a step, and read afterwards."""
    table = tf.Variable(normal(6, 2))

    def step(*given: Any) -> Any:
        getattr(table, method)(*given)
        return table.read_value()

    return case(step, *arguments)


def rows_call(method: str) -> Case:
    return scattered(method, tf.IndexedSlices(normal(2, 2), tf.constant([4, 1])))


def epoch(scale: Any) -> Any:
    total = tf.zeros(2)
    for row in tf.data.Dataset.range(6).batch(2):
        total += tf.cast(row, tf.float32) * scale
    return total


def hashed_call() -> Case:
    table = tf.lookup.experimental.DenseHashTable(
        tf.string, tf.int64, default_value=-1, empty_key="", deleted_key="$"
    )

    def remember(keys: Any, values: Any) -> Any:
        table.insert(keys, values)
        return values

    return case(remember, tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))


def queue_call() -> Case:
    queue = tf.queue.FIFOQueue(20, [tf.float32], shapes=[()])
    queue.enqueue_many([tf.range(12.0)])
    return case(lambda: queue.dequeue())


def binomial_call() -> Case:
    generator = tf.random.Generator.from_seed(3)
    return case(lambda n: generator.binomial([4, 1], counts=n, probs=0.4), tf.constant([9.0]))


def writer() -> Any:
    return tf.summary.create_file_writer(tempfile.mkdtemp())


def flush_call() -> Case:
    log = writer()

    def step(loss: Any) -> Any:
        with log.as_default(step=2):
            tf.summary.flush()
        return loss * 2.0

    return case(step, normal(3))


def image_call() -> Case:
    log = writer()

    def step(pictures: Any) -> Any:
        with log.as_default():
            tf.summary.image("input", pictures, step=tf.constant(3, tf.int64))
        return pictures

    return case(step, photo())


def recording(loss: Any) -> Any:
    with tf.summary.record_if(False):
        return tf.identity(loss)


def asynchronous(value: Any) -> Any:
    with tf.experimental.async_scope():
        return tf.identity(value)


def conjugate(matrix: Any, right: Any) -> Any:
    operator = tf.linalg.LinearOperatorFullMatrix(
        matrix, is_self_adjoint=True, is_positive_definite=True
    )
    return tf.linalg.experimental.conjugate_gradient(operator, right, max_iter=12).x


def definite(size: int) -> Any:
    m = normal(size, size)
    return tf.matmul(m, m, transpose_b=True) + size * tf.eye(size)


def passed_through(value: Any) -> Any:
    return tf.grad_pass_through(tf.round)(value)


CALLS: dict[str, Builder] = {
    "Variable.scatter_min": lambda: rows_call("scatter_min"),
    "Variable.scatter_nd_sub": lambda: scattered(
        "scatter_nd_sub", tf.constant([[0], [3]]), normal(2, 2)
    ),
    "Variable.scatter_sub": lambda: rows_call("scatter_sub"),
    "concat": lambda: case(
        lambda a, b: tf.concat([a, b], axis=-1), normal(2, 5, 3), normal(2, 5, 4)
    ),
    "data.Dataset.__iter__": lambda: case(epoch, tf.constant(0.5)),
    "debugging.assert_non_negative": lambda: case(
        lambda x: tf.debugging.assert_non_negative(x, message="below zero"),
        between(0.0, 3.0, 7),
        bad=(between(-3.0, -1.0, 7),),
    ),
    "ensure_shape": lambda: case(lambda x: tf.ensure_shape(x, [None, 3]), normal(5, 3)),
    "executing_eagerly": lambda: case(
        lambda x: x if tf.executing_eagerly() else tf.identity(x), normal(3)
    ),
    "expand_dims": lambda: case(
        tf.expand_dims, normal(4, 3), tf.constant(1), again={"axis": (normal(4, 3), tf.constant(0))}
    ),
    "experimental.async_scope": lambda: case(asynchronous, normal(3)),
    "grad_pass_through": lambda: case(passed_through, normal(6), own=("Round",)),
    "image.crop_to_bounding_box": lambda: case(
        lambda x: tf.image.crop_to_bounding_box(x, 2, 3, 8, 10), photo()
    ),
    "image.flip_left_right": lambda: case(tf.image.flip_left_right, photo(8, 10, 3)),
    "image.ssim": lambda: case(
        lambda a, b: tf.image.ssim(a, b, 255.0), photo(1, 24, 24, 1) * 255.0, photo(1, 24, 24, 1)
    ),
    "image.yuv_to_rgb": lambda: case(tf.image.yuv_to_rgb, photo(6, 6, 3)),
    "io.decode_and_crop_jpeg": lambda: case(
        lambda data: tf.io.decode_and_crop_jpeg(data, [1, 1, 4, 4], channels=3),
        tf.io.encode_jpeg(tf.zeros([9, 9, 3], tf.uint8)),
    ),
    "io.is_jpeg": lambda: case(tf.io.is_jpeg, tf.constant(b"\xff\xd8\xffabc")),
    "linalg.experimental.conjugate_gradient": lambda: case(conjugate, definite(5), normal(5)),
    "linalg.sqrtm": lambda: case(tf.linalg.sqrtm, definite(4)),
    "linalg.tridiagonal_solve": lambda: case(
        lambda d, r: tf.linalg.tridiagonal_solve(d, r, diagonals_format="compact"),
        between(3.0, 5.0, 3, 6),
        normal(6),
        literals={"diagonals_format": "'compact'"},
    ),
    "lookup.experimental.DenseHashTable.insert": hashed_call,
    "math.acosh": lambda: case(tf.math.acosh, between(1.1, 6.0, 4, 2)),
    "math.add": lambda: case(tf.math.add, normal(4, 3), normal(3)),
    "math.argmax": lambda: case(
        lambda x: tf.math.argmax(x, axis=-1, output_type=tf.int32), normal(5, 10)
    ),
    "math.atanh": lambda: case(tf.math.atanh, between(-0.9, 0.9, 9)),
    "math.log1p": lambda: case(tf.math.log1p, between(0.0, 4.0, 9)),
    "math.real": lambda: case(tf.math.real, tf.signal.fft(tf.complex(normal(8), normal(8)))),
    "math.reduce_any": lambda: case(lambda x: tf.math.reduce_any(x > 0.0, axis=0), normal(3, 4)),
    "nn.atrous_conv2d_transpose": lambda: case(
        lambda x, w: tf.nn.atrous_conv2d_transpose(x, w, [1, 10, 10, 2], rate=2, padding="SAME"),
        normal(1, 10, 10, 4),
        normal(3, 3, 2, 4),
    ),
    "nn.avg_pool1d": lambda: case(lambda x: tf.nn.avg_pool1d(x, 2, 2, "VALID"), normal(3, 14, 2)),
    "nn.conv3d_transpose": lambda: case(
        lambda x, w: tf.nn.conv3d_transpose(x, w, [1, 6, 6, 6, 2], strides=2, padding="SAME"),
        normal(1, 3, 3, 3, 4),
        normal(3, 3, 3, 2, 4),
    ),
    "nn.depthwise_conv2d": lambda: case(
        lambda x, w: tf.nn.depthwise_conv2d(x, w, strides=[1, 2, 2, 1], padding="SAME"),
        normal(2, 9, 9, 3),
        normal(3, 3, 3, 2),
    ),
    "nn.erosion2d": lambda: case(
        lambda x, k: tf.nn.erosion2d(x, k, [1, 1, 1, 1], "SAME", "NHWC", [1, 1, 1, 1]),
        normal(1, 7, 7, 3),
        normal(2, 2, 3),
    ),
    "nn.experimental.general_dropout": lambda: case(
        lambda x: tf.nn.experimental.general_dropout(
            x, 0.4, lambda shape, dtype: tf.random.uniform(shape, dtype=dtype)
        ),
        normal(20, 4),
    ),
    "nn.fractional_max_pool": lambda: case(
        lambda x: tf.nn.fractional_max_pool(x, 1.5, seed=4).output, normal(1, 9, 9, 2)
    ),
    "nn.max_pool": lambda: case(
        lambda x: tf.nn.max_pool(x, ksize=2, strides=2, padding="VALID"), normal(2, 10, 10, 3)
    ),
    "nn.max_pool1d": lambda: case(
        lambda x: tf.nn.max_pool1d(x, ksize=3, strides=1, padding="SAME"), normal(2, 10, 3)
    ),
    "nn.separable_conv2d": lambda: case(
        lambda x, d, p: tf.nn.separable_conv2d(x, d, p, strides=[1, 1, 1, 1], padding="SAME"),
        normal(1, 8, 8, 3),
        normal(3, 3, 3, 2),
        normal(1, 1, 6, 5),
    ),
    "no_op": lambda: case(lambda: tf.no_op()),
    "queue.FIFOQueue.dequeue": queue_call,
    "random.Generator.binomial": binomial_call,
    "repeat": lambda: case(
        lambda x, n: tf.repeat(x, n, axis=0),
        normal(3, 2),
        tf.constant([2, 0, 1]),
        again={"repeats": (normal(3, 2), tf.constant([1, 1, 1]))},
    ),
    "reverse": lambda: case(lambda x: tf.reverse(x, axis=[0, 2]), normal(2, 3, 4)),
    "sets.size": lambda: case(tf.sets.size, spotted()),
    "signal.fft": lambda: case(tf.signal.fft, tf.complex(normal(3, 16), normal(3, 16))),
    "signal.frame": lambda: case(
        lambda x: tf.signal.frame(x, frame_length=8, frame_step=4, pad_end=True),
        normal(2, 30),
        literals={"pad_end": "True"},
    ),
    "signal.rfft3d": lambda: case(tf.signal.rfft3d, normal(4, 6, 8)),
    "signal.vorbis_window": lambda: case(lambda x: tf.signal.vorbis_window(12) * x, normal(12)),
    "sparse.reduce_max": lambda: case(
        lambda s: tf.sparse.reduce_max(s, axis=0, keepdims=True), spotted()
    ),
    "sparse.reduce_sum": lambda: case(lambda s: tf.sparse.reduce_sum(s, 1), spotted()),
    "sparse.reset_shape": lambda: case(lambda s: tf.sparse.reset_shape(s, [4, 5]), spotted()),
    "sparse.reshape": lambda: case(lambda s: tf.sparse.reshape(s, [4, 3]), spotted()),
    "strings.as_string": lambda: case(
        lambda x: tf.strings.as_string(x, precision=2), between(0.0, 9.0, 3)
    ),
    "summary.flush": flush_call,
    "summary.image": image_call,
    "summary.record_if": lambda: case(recording, normal(2)),
    "tensor_scatter_nd_max": lambda: case(
        tf.tensor_scatter_nd_max, normal(8), tf.constant([[1], [4], [6]]), normal(3)
    ),
    "truncatediv": lambda: case(tf.truncatediv, below(90, 6) - 45, below(7, 6) + 1),
    "unique_with_counts": lambda: case(tf.unique_with_counts, below(4, 10)),
    "unravel_index": lambda: case(lambda i: tf.unravel_index(i, [3, 7]), below(21, 4)),
    "where": lambda: case(
        lambda x: tf.where(x > 0.0, x, 0.1 * x), normal(4, 4), literals={"x": "<given>"}
    ),
}
