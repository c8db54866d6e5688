"""Seed 20261121: functions and methods of `tf.*`."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tools.probe_endpoints.case import (
    Builder,
    below,
    between,
    case,
    normal,
    photo,
    truth,
)


def words() -> Any:
    return tf.constant(["red", "green", "blue"])


def rows() -> Any:
    return tf.ragged.constant([[3.0, 1.0], [], [4.0, 1.0, 5.0]])


def thin() -> Any:
    return tf.sparse.from_dense([[0.0, 2.0, 0.0], [1.5, 0.0, 3.0]])


def symmetric(size: int) -> Any:
    m = normal(size, size)
    return tf.matmul(m, m, transpose_b=True) + size * tf.eye(size)


def partial_sums(values: Any) -> Any:
    return tf.scan(lambda total, value: total + value, values)


def gathered(values: Any, order: Any) -> Any:
    return tf.TensorArray(tf.float32, size=6).unstack(values).gather(order)


def inserted(keys: Any, values: Any) -> Any:
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, default_value=-1.0)
    return table.insert(keys, values)


def table_call() -> Any:
    table = tf.lookup.experimental.MutableHashTable(tf.int64, tf.float32, default_value=-1.0)

    def remember(keys: Any, values: Any) -> Any:
        table.insert(keys, values)
        return values

    return case(remember, tf.constant([3, 9], tf.int64), normal(2))


def variable_call() -> Any:
    weight = tf.Variable(normal(4, 3))
    return case(lambda: weight.value())


def seeds_call() -> Any:
    generator = tf.random.Generator.from_seed(42)
    return case(lambda: generator.make_seeds(3))


def nce_call() -> Any:
    weights, biases = tf.Variable(normal(50, 8)), tf.Variable(tf.zeros(50))
    return case(
        lambda labels, features: tf.nn.nce_loss(
            weights, biases, labels, features, num_sampled=5, num_classes=50
        ),
        below(50, 6, 1, dtype="int64"),
        normal(6, 8),
    )


CALLS: dict[str, Builder] = {
    "RaggedTensor.from_row_splits": lambda: case(
        tf.RaggedTensor.from_row_splits,
        normal(6),
        tf.constant([0, 2, 2, 6]),
        bad=(normal(6), tf.constant([0, 5, 3, 6])),
    ),
    "RaggedTensor.nrows": lambda: case(lambda rt: rt.nrows(), rows()),
    "TensorArray.gather": lambda: case(gathered, normal(6, 2), tf.constant([4, 0, 1])),
    "Variable.value": variable_call,
    "bitwise.bitwise_and": lambda: case(tf.bitwise.bitwise_and, below(99, 7), below(99, 7)),
    "bitwise.invert": lambda: case(tf.bitwise.invert, below(99, 3, 3)),
    "clip_by_value": lambda: case(
        lambda g: tf.clip_by_value(g, clip_value_min=-0.5, clip_value_max=0.5), normal(5, 4)
    ),
    "convert_to_tensor": lambda: case(
        lambda a, b: tf.convert_to_tensor([a, b]), normal(3), normal(3)
    ),
    "debugging.assert_negative": lambda: case(
        tf.debugging.assert_negative, -between(1.0, 2.0, 5), bad=(between(1.0, 2.0, 5),)
    ),
    "debugging.assert_rank_in": lambda: case(
        lambda x: tf.debugging.assert_rank_in(x, [2, 3]), normal(3, 4)
    ),
    "debugging.assert_same_float_dtype": lambda: case(
        lambda a, b: tf.debugging.assert_same_float_dtype([a, b]), normal(2), normal(3)
    ),
    "dynamic_stitch": lambda: case(
        lambda i, j, a, b: tf.dynamic_stitch([i, j], [a, b]),
        tf.constant([0, 3]),
        tf.constant([2, 1]),
        normal(2, 4),
        normal(2, 4),
    ),
    "image.non_max_suppression_padded": lambda: case(
        lambda boxes, scores: tf.image.non_max_suppression_padded(
            boxes, scores, max_output_size=4, iou_threshold=0.5, pad_to_max_output_size=True
        ),
        tf.concat([between(0.0, 0.4, 10, 2), between(0.5, 1.0, 10, 2)], 1),
        between(0.0, 1.0, 10),
        literals={"pad_to_max_output_size": "True"},
    ),
    "image.psnr": lambda: case(lambda a, b: tf.image.psnr(a, b, max_val=1.0), photo(), photo()),
    "image.random_flip_left_right": lambda: case(
        lambda x: tf.image.random_flip_left_right(x, seed=3), photo()
    ),
    "image.random_hue": lambda: case(lambda x: tf.image.random_hue(x, 0.2), photo(12, 12, 3)),
    "image.random_jpeg_quality": lambda: case(
        lambda x: tf.image.random_jpeg_quality(x, 60, 95), photo(12, 12, 3)
    ),
    "image.rgb_to_hsv": lambda: case(tf.image.rgb_to_hsv, photo()),
    "image.ssim": lambda: case(
        lambda a, b: tf.image.ssim(a, b, max_val=1.0, filter_size=7), photo(), photo()
    ),
    "io.encode_base64": lambda: case(tf.io.encode_base64, words()),
    "linalg.LinearOperatorLowerTriangular.solve": lambda: case(
        lambda m, r: tf.linalg.LinearOperatorLowerTriangular(m).solve(r),
        symmetric(4),
        normal(4, 2),
    ),
    "linalg.cholesky": lambda: case(tf.linalg.cholesky, symmetric(5)),
    "linalg.eig": lambda: case(tf.linalg.eig, symmetric(4)),
    "linalg.logm": lambda: case(tf.linalg.logm, tf.cast(symmetric(3), tf.complex64)),
    "linalg.lu_reconstruct": lambda: case(tf.linalg.lu_reconstruct, *tf.linalg.lu(symmetric(4))),
    "linalg.sqrtm": lambda: case(tf.linalg.sqrtm, symmetric(3)),
    "linspace": lambda: case(
        lambda low, high: tf.linspace(low, high, 9), tf.constant(-1.0), tf.constant(3.0)
    ),
    "lookup.experimental.MutableHashTable.insert": table_call,
    "math.acos": lambda: case(tf.math.acos, between(-0.9, 0.9, 8)),
    "math.divide": lambda: case(tf.math.divide, normal(3, 4), between(1.0, 2.0, 4)),
    "math.in_top_k": lambda: case(
        lambda labels, scores: tf.math.in_top_k(labels, scores, k=2), below(6, 5), normal(5, 6)
    ),
    "math.is_strictly_increasing": lambda: case(
        tf.math.is_strictly_increasing, tf.constant([0.5, 1.0, 4.0, 9.0])
    ),
    "math.logical_xor": lambda: case(tf.math.logical_xor, truth(9), truth(9)),
    "math.reduce_logsumexp": lambda: case(
        lambda x: tf.math.reduce_logsumexp(x, axis=-1, keepdims=True), normal(4, 6)
    ),
    "math.reduce_prod": lambda: case(
        tf.math.reduce_prod,
        between(0.5, 2.0, 3, 4),
        tf.constant(0),
        again={"axis": (between(0.5, 2.0, 3, 4), tf.constant(1))},
    ),
    "math.reduce_std": lambda: case(lambda x: tf.math.reduce_std(x, axis=[1, 2]), normal(2, 5, 5)),
    "math.tan": lambda: case(tf.math.tan, between(-1.0, 1.0, 6)),
    "math.truediv": lambda: case(tf.math.truediv, below(9, 5), below(9, 5) + 1),
    "nn.avg_pool1d": lambda: case(
        lambda x: tf.nn.avg_pool1d(x, ksize=3, strides=2, padding="SAME"), normal(2, 12, 4)
    ),
    "nn.depthwise_conv2d_backprop_filter": lambda: case(
        lambda x, g: tf.nn.depthwise_conv2d_backprop_filter(
            x, [3, 3, 2, 2], g, strides=[1, 1, 1, 1], padding="SAME"
        ),
        normal(1, 8, 8, 2),
        normal(1, 8, 8, 4),
    ),
    "nn.log_softmax": lambda: case(lambda x: tf.nn.log_softmax(x, axis=-1), normal(4, 10)),
    "nn.nce_loss": nce_call,
    "nn.selu": lambda: case(tf.nn.selu, normal(4, 5)),
    "nn.silu": lambda: case(tf.nn.silu, normal(4, 5)),
    "quantization.dequantize": lambda: case(
        lambda q: tf.quantization.dequantize(q, -1.0, 1.0),
        tf.quantization.quantize(normal(6), -1.0, 1.0, tf.quint8).output,
    ),
    "ragged.segment_ids_to_row_splits": lambda: case(
        lambda ids: tf.ragged.segment_ids_to_row_splits(ids, num_segments=4),
        tf.constant([0, 0, 2, 2, 2, 3]),
    ),
    "ragged.stack_dynamic_partitions": lambda: case(
        lambda data, parts: tf.ragged.stack_dynamic_partitions(data, parts, num_partitions=3),
        normal(6),
        tf.constant([0, 2, 1, 0, 2, 2]),
    ),
    "ragged_fill_empty_rows_grad": lambda: case(
        tf.ragged_fill_empty_rows_grad, tf.constant([1, 3], tf.int64), normal(5)
    ),
    "random.Generator.make_seeds": seeds_call,
    "random.learned_unigram_candidate_sampler": lambda: case(
        lambda labels: tf.random.learned_unigram_candidate_sampler(
            labels, num_true=1, num_sampled=4, unique=True, range_max=30
        ),
        below(30, 5, 1, dtype="int64"),
    ),
    "random.stateless_normal": lambda: case(
        lambda seed: tf.random.stateless_normal([3, 4], seed=seed), tf.constant([5, 8])
    ),
    "random.uniform_candidate_sampler": lambda: case(
        lambda labels: tf.random.uniform_candidate_sampler(
            labels, num_true=1, num_sampled=6, unique=False, range_max=40
        ),
        below(40, 5, 1, dtype="int64"),
    ),
    "random_index_shuffle": lambda: case(
        lambda i: tf.random_index_shuffle(i, seed=tf.constant([7, 1, 2]), max_index=19),
        tf.constant(4),
    ),
    "required_space_to_batch_paddings": lambda: case(
        lambda shape: tf.required_space_to_batch_paddings(shape, block_shape=[2, 2]),
        tf.constant([7, 9]),
        again={"input_shape": (tf.constant([5, 6]),)},
    ),
    "scan": lambda: case(partial_sums, normal(7)),
    "signal.hann_window": lambda: case(lambda x: x * tf.signal.hann_window(16), normal(4, 16)),
    "signal.kaiser_bessel_derived_window": lambda: case(
        lambda x: x * tf.signal.kaiser_bessel_derived_window(20, beta=8.0), normal(20)
    ),
    "space_to_batch_nd": lambda: case(
        lambda x: tf.space_to_batch_nd(x, block_shape=[2, 2], paddings=[[0, 0], [1, 1]]),
        normal(1, 4, 6, 2),
    ),
    "sparse.SparseTensor.__mul__": lambda: case(lambda s, d: s * d, thin(), normal(2, 3)),
    "sparse.map_values": lambda: case(lambda s: tf.sparse.map_values(tf.square, s), thin()),
    "sparse.reduce_max": lambda: case(lambda s: tf.sparse.reduce_max(s, axis=1), thin()),
    "strings.join": lambda: case(
        lambda a, b: tf.strings.join([a, b], separator="-"), words(), words()
    ),
    "strings.unicode_transcode": lambda: case(
        lambda s: tf.strings.unicode_transcode(s, "UTF-8", "UTF-16-BE"), words()
    ),
}
