"""Seed 20261121: Keras."""

from __future__ import annotations

import tensorflow as tf

from tools.probe_endpoints.case import (
    Builder,
    below,
    between,
    case,
    layered,
    measured,
    normal,
    photo,
    simplex,
    truth,
)

keras = tf.keras
layers = tf.keras.layers
ops = tf.keras.ops
K = tf.keras.backend

CALLS: dict[str, Builder] = {
    "keras.activations.exponential": lambda: case(keras.activations.exponential, normal(4, 3)),
    "keras.activations.relu": lambda: case(
        lambda x: keras.activations.relu(x, negative_slope=0.1, max_value=2.0), normal(4, 6)
    ),
    "keras.activations.relu6": lambda: case(keras.activations.relu6, normal(5) * 9.0),
    "keras.activations.sparse_sigmoid": lambda: case(
        keras.activations.sparse_sigmoid, normal(3, 3)
    ),
    "keras.activations.tanh_shrink": lambda: case(keras.activations.tanh_shrink, normal(3, 3)),
    "keras.applications.convnext.preprocess_input": lambda: case(
        keras.applications.convnext.preprocess_input, photo() * 255.0
    ),
    "keras.backend.argmin": lambda: case(lambda x: K.argmin(x, axis=1), normal(3, 8)),
    "keras.backend.batch_dot": lambda: case(
        lambda a, b: K.batch_dot(a, b, axes=(2, 1)), normal(4, 3, 5), normal(4, 5, 2)
    ),
    "keras.backend.bias_add": lambda: case(K.bias_add, normal(2, 6, 6, 3), normal(3)),
    "keras.backend.conv3d": lambda: case(
        lambda x, w: K.conv3d(x, w, padding="same"), normal(1, 5, 5, 5, 2), normal(2, 2, 2, 2, 3)
    ),
    "keras.backend.cos": lambda: case(K.cos, normal(7)),
    "keras.backend.cumsum": lambda: case(lambda x: K.cumsum(x, axis=1), normal(3, 5)),
    "keras.backend.depthwise_conv2d": lambda: case(
        lambda x, w: K.depthwise_conv2d(x, w, padding="same"),
        normal(1, 7, 7, 3),
        normal(3, 3, 3, 1),
    ),
    "keras.backend.gather": lambda: case(K.gather, normal(9, 4), below(9, 5)),
    "keras.backend.is_sparse": lambda: case(lambda x: K.is_sparse(x), normal(4)),
    "keras.backend.mean": lambda: case(lambda x: K.mean(x, axis=-1), normal(4, 6)),
    "keras.backend.ones_like": lambda: case(K.ones_like, normal(4, 6)),
    "keras.backend.pool3d": lambda: case(
        lambda x: K.pool3d(x, (2, 2, 2), strides=(2, 2, 2), padding="same", pool_mode="avg"),
        normal(1, 6, 6, 6, 2),
        literals={"pool_mode": "'avg'", "padding": "'same'"},
    ),
    "keras.backend.pow": lambda: case(lambda x: K.pow(x, 3), normal(6)),
    "keras.backend.random_normal": lambda: case(
        lambda x: x + K.random_normal(K.shape(x), stddev=0.1), normal(4, 6)
    ),
    "keras.backend.squeeze": lambda: case(lambda x: K.squeeze(x, 1), normal(4, 1, 6)),
    "keras.backend.transpose": lambda: case(K.transpose, normal(4, 6)),
    "keras.layers.AlphaDropout": lambda: layered(
        layers.AlphaDropout(0.3), normal(8, 16), training=True
    ),
    "keras.layers.Attention": lambda: layered(
        layers.Attention(use_scale=True), [normal(2, 5, 8), normal(2, 7, 8)]
    ),
    "keras.layers.AvgPool2D": lambda: layered(layers.AvgPool2D(pool_size=2), normal(2, 8, 8, 3)),
    "keras.layers.LeakyReLU": lambda: layered(layers.LeakyReLU(0.2), normal(4, 9)),
    "keras.layers.MaxPool2D": lambda: layered(
        layers.MaxPool2D((3, 3), strides=2, padding="same"), normal(2, 9, 9, 4)
    ),
    "keras.layers.MultiHeadAttention": lambda: layered(
        layers.MultiHeadAttention(num_heads=2, key_dim=4), normal(2, 6, 8), normal(2, 6, 8)
    ),
    "keras.layers.RandomBrightness": lambda: layered(
        layers.RandomBrightness(0.4, value_range=(0, 1)), photo(), training=True
    ),
    "keras.layers.RandomColorJitter": lambda: layered(
        layers.RandomColorJitter(
            value_range=(0, 1),
            brightness_factor=0.3,
            contrast_factor=0.3,
            saturation_factor=0.3,
            hue_factor=0.1,
        ),
        photo(),
        training=True,
    ),
    "keras.layers.RandomGrayscale": lambda: layered(
        layers.RandomGrayscale(factor=0.5), photo(16, 6, 6, 3), training=True
    ),
    "keras.layers.RandomRotation": lambda: layered(
        layers.RandomRotation(0.2), photo(), training=True
    ),
    "keras.layers.RandomSaturation": lambda: layered(
        layers.RandomSaturation(0.7, value_range=(0, 1)), photo(), training=True
    ),
    "keras.layers.RandomZoom": lambda: layered(
        layers.RandomZoom(height_factor=(-0.3, 0.1)), photo(), training=True
    ),
    "keras.layers.Rescaling": lambda: layered(layers.Rescaling(1.0 / 255), photo() * 255.0),
    "keras.layers.SeparableConv2D": lambda: layered(
        layers.SeparableConv2D(6, 3, padding="same", activation="relu"), normal(2, 8, 8, 3)
    ),
    "keras.layers.ZeroPadding3D": lambda: layered(layers.ZeroPadding3D(1), normal(1, 3, 4, 5, 2)),
    "keras.layers.add": lambda: case(lambda a, b: layers.add([a, b]), normal(3, 4), normal(3, 4)),
    "keras.layers.minimum": lambda: case(
        lambda a, b: layers.minimum([a, b]), normal(3, 4), normal(3, 4)
    ),
    "keras.losses.Dice": lambda: case(
        lambda y, p: keras.losses.Dice()(y, p),
        tf.cast(truth(2, 8, 8, 1), tf.float32),
        between(0.0, 1.0, 2, 8, 8, 1),
    ),
    "keras.losses.huber": lambda: case(
        lambda y, p: keras.losses.huber(y, p, delta=0.7), normal(6, 2), normal(6, 2)
    ),
    "keras.metrics.BinaryIoU": lambda: measured(
        keras.metrics.BinaryIoU(target_class_ids=[0, 1], threshold=0.4),
        below(2, 12),
        between(0.0, 1.0, 12),
    ),
    "keras.metrics.CategoricalAccuracy": lambda: measured(
        keras.metrics.CategoricalAccuracy(), tf.one_hot(below(4, 9), 4), simplex(9, 4)
    ),
    "keras.metrics.ConcordanceCorrelation": lambda: measured(
        keras.metrics.ConcordanceCorrelation(axis=0), normal(10, 3), normal(10, 3)
    ),
    "keras.metrics.MeanAbsolutePercentageError": lambda: measured(
        keras.metrics.MeanAbsolutePercentageError(), between(1.0, 2.0, 8, 1), normal(8, 1)
    ),
    "keras.metrics.MeanIoU": lambda: measured(
        keras.metrics.MeanIoU(num_classes=4), below(4, 2, 6, 6), below(4, 2, 6, 6)
    ),
    "keras.metrics.PearsonCorrelation": lambda: measured(
        keras.metrics.PearsonCorrelation(axis=0), normal(10, 3), normal(10, 3)
    ),
    "keras.metrics.SensitivityAtSpecificity": lambda: measured(
        keras.metrics.SensitivityAtSpecificity(0.6), below(2, 16), between(0.0, 1.0, 16)
    ),
    "keras.metrics.SparseTopKCategoricalAccuracy": lambda: measured(
        keras.metrics.SparseTopKCategoricalAccuracy(k=3), below(8, 10), simplex(10, 8)
    ),
    "keras.metrics.sparse_top_k_categorical_accuracy": lambda: case(
        lambda y, p: keras.metrics.sparse_top_k_categorical_accuracy(y, p, k=2),
        below(6, 5),
        simplex(5, 6),
    ),
    "keras.ops.batch_normalization": lambda: case(
        lambda x, m, v: ops.batch_normalization(x, m, v, axis=-1),
        normal(6, 3),
        normal(3),
        between(0.5, 1.0, 3),
    ),
    "keras.ops.categorical_crossentropy": lambda: case(
        lambda y, z: ops.categorical_crossentropy(y, z, from_logits=True),
        tf.one_hot(below(5, 7), 5),
        normal(7, 5),
    ),
    "keras.ops.correlate": lambda: case(
        lambda a, b: ops.correlate(a, b, mode="same"),
        normal(9),
        normal(3),
        literals={"mode": "'same'"},
    ),
    "keras.ops.deg2rad": lambda: case(ops.deg2rad, between(0.0, 360.0, 8)),
    "keras.ops.dsplit": lambda: case(lambda x: ops.dsplit(x, 2), normal(2, 3, 6)),
    "keras.ops.dstack": lambda: case(
        lambda a, b: ops.dstack((a, b)), normal(2, 3, 1), normal(2, 3, 2)
    ),
    "keras.ops.equal": lambda: case(ops.equal, below(4, 6), below(4, 6)),
    "keras.ops.flip": lambda: case(lambda x: ops.flip(x, axis=1), normal(3, 5)),
    "keras.ops.flipud": lambda: case(ops.flipud, normal(3, 5)),
    "keras.ops.fold": lambda: case(
        lambda x: ops.fold(x, output_size=(6, 6), kernel_size=(2, 2), stride=2), normal(2, 12, 9)
    ),
    "keras.ops.glu": lambda: case(ops.glu, normal(4, 10)),
    "keras.ops.heaviside": lambda: case(ops.heaviside, normal(7), between(0.0, 1.0, 7)),
    "keras.ops.identity": lambda: case(lambda m: ops.matmul(m, ops.identity(4)), normal(4, 4)),
    "keras.ops.image.crop_images": lambda: case(
        lambda x: ops.image.crop_images(
            x, top_cropping=2, left_cropping=3, target_height=8, target_width=8
        ),
        photo(),
    ),
    "keras.ops.image.rgb_to_hsv": lambda: case(ops.image.rgb_to_hsv, photo()),
    "keras.ops.image.sobel_edges": lambda: case(ops.image.sobel_edges, photo()),
    "keras.ops.is_tensor": lambda: case(lambda x: ops.is_tensor(x), normal(2)),
    "keras.ops.isnan": lambda: case(ops.isnan, normal(6)),
    "keras.ops.leaky_relu": lambda: case(
        lambda x: ops.leaky_relu(x, negative_slope=0.05), normal(6)
    ),
    "keras.ops.logspace": lambda: case(
        lambda low, high: ops.logspace(low, high, num=5), tf.constant(0.0), tf.constant(2.0)
    ),
    "keras.ops.mod": lambda: case(ops.mod, between(0.0, 9.0, 5), between(1.0, 2.0, 5)),
    "keras.ops.nanmean": lambda: case(lambda x: ops.nanmean(x, axis=0), normal(5, 3)),
    "keras.ops.nonzero": lambda: case(ops.nonzero, below(2, 4, 4)),
    "keras.ops.polar": lambda: case(ops.polar, between(0.5, 2.0, 6), between(0.0, 3.0, 6)),
    "keras.ops.repeat": lambda: case(lambda x: ops.repeat(x, 3, axis=0), normal(4, 2)),
    "keras.ops.segment_max": lambda: case(
        lambda x, ids: ops.segment_max(x, ids, num_segments=4),
        normal(7, 2),
        tf.constant([0, 0, 1, 1, 2, 3, 3]),
    ),
    "keras.ops.selu": lambda: case(ops.selu, normal(6)),
    "keras.ops.separable_conv": lambda: case(
        lambda x, d, p: ops.separable_conv(x, d, p, strides=1, padding="same"),
        normal(1, 8, 8, 3),
        normal(3, 3, 3, 1),
        normal(1, 1, 3, 5),
    ),
    "keras.ops.sign": lambda: case(ops.sign, normal(6)),
    "keras.ops.sort": lambda: case(lambda x: ops.sort(x, axis=1), normal(3, 7)),
    "keras.ops.square": lambda: case(ops.square, normal(5)),
    "keras.ops.stop_gradient": lambda: case(lambda x: x - ops.stop_gradient(x * x), normal(5)),
    "keras.ops.tanh": lambda: case(ops.tanh, normal(5)),
    "keras.ops.threshold": lambda: case(lambda x: ops.threshold(x, 0.3, 0.0), normal(8)),
    "keras.ops.unravel_index": lambda: case(lambda i: ops.unravel_index(i, (4, 5)), below(20, 6)),
    "keras.ops.vsplit": lambda: case(lambda x: ops.vsplit(x, [1, 4]), normal(6, 3)),
    "keras.ops.where": lambda: case(
        ops.where, truth(5), normal(5), normal(5), literals={"x1": "<given>"}
    ),
    "keras.ops.zeros": lambda: case(
        lambda x: ops.concatenate([x, ops.zeros((2, 3))], axis=0), normal(4, 3)
    ),
    "keras.regularizers.OrthogonalRegularizer": lambda: case(
        lambda w: keras.regularizers.OrthogonalRegularizer(0.01)(w), normal(6, 4)
    ),
    "keras.remat": lambda: case(
        lambda x: keras.remat(lambda t: tf.nn.relu(t) * 2.0)(x), normal(5), own=("Relu", "Mul")
    ),
    "keras.utils.pad_sequences": lambda: case(
        lambda: keras.utils.pad_sequences([[3, 1, 4], [1, 5], [9]], maxlen=4)
    ),
}
