"""Seed 20261122: Keras layers, losses, metrics, initializers and optimizers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tools.probe_endpoints.case import (
    Builder,
    Case,
    below,
    between,
    case,
    layered,
    measured,
    normal,
    photo,
    simplex,
)

keras = tf.keras
layers = tf.keras.layers


def stepped(optimizer: Any) -> Case:
    """One update as a custom training step makes it."""
    weight, bias = tf.Variable(normal(4, 3)), tf.Variable(normal(3))
    optimizer.build([weight, bias])

    def step(first: Any, second: Any) -> Any:
        optimizer.apply_gradients([(first, weight), (second, bias)])
        return weight.read_value(), bias.read_value()

    return case(step, normal(4, 3), normal(3))


CALLS: dict[str, Builder] = {
    "keras.initializers.HeNormal": lambda: case(
        lambda: keras.initializers.HeNormal(seed=1)((6, 4))
    ),
    "keras.initializers.RandomNormal": lambda: case(
        lambda: keras.initializers.RandomNormal(stddev=0.2)((5, 5))
    ),
    "keras.layers.Activation": lambda: layered(layers.Activation("swish"), normal(3, 6)),
    "keras.layers.AdaptiveAveragePooling3D": lambda: layered(
        layers.AdaptiveAveragePooling3D(2), normal(1, 6, 6, 6, 2)
    ),
    "keras.layers.Average": lambda: layered(layers.Average(), [normal(2, 5), normal(2, 5)]),
    "keras.layers.Bidirectional": lambda: layered(
        layers.Bidirectional(layers.GRU(4, return_sequences=True)), normal(2, 6, 3)
    ),
    "keras.layers.CategoryEncoding": lambda: layered(
        layers.CategoryEncoding(num_tokens=6, output_mode="multi_hot"), below(6, 3, 4)
    ),
    "keras.layers.Flatten": lambda: layered(layers.Flatten(), photo()),
    "keras.layers.GRU": lambda: layered(layers.GRU(5), normal(3, 7, 4)),
    "keras.layers.GlobalAvgPool3D": lambda: layered(
        layers.GlobalAvgPool3D(keepdims=True), normal(2, 3, 3, 3, 4)
    ),
    "keras.layers.IntegerLookup": lambda: layered(
        layers.IntegerLookup(vocabulary=[11, 12, 42]), tf.constant([[42, 7], [11, 12]], tf.int64)
    ),
    "keras.layers.LSTM": lambda: layered(layers.LSTM(6, return_state=True), normal(2, 5, 3)),
    "keras.layers.MaxPool3D": lambda: layered(layers.MaxPool3D(2), normal(1, 6, 6, 6, 2)),
    "keras.layers.Permute": lambda: layered(layers.Permute((2, 1)), normal(2, 3, 5)),
    "keras.layers.RandomContrast": lambda: layered(
        layers.RandomContrast(0.5, value_range=(0, 1)), photo(), training=True
    ),
    "keras.layers.RandomErasing": lambda: layered(
        layers.RandomErasing(factor=1.0, value_range=(0, 1)), photo(), training=True
    ),
    "keras.layers.RandomZoom": lambda: layered(
        layers.RandomZoom((0.1, 0.4), (0.1, 0.4)), photo(), training=True
    ),
    "keras.layers.SeparableConv2D": lambda: layered(
        layers.SeparableConv2D(4, (5, 5), strides=2, depth_multiplier=2), photo()
    ),
    "keras.layers.ThresholdedReLU": lambda: layered(layers.ThresholdedReLU(theta=0.4), normal(9)),
    "keras.layers.ZeroPadding3D": lambda: layered(
        layers.ZeroPadding3D(((1, 0), (2, 2), (0, 1))), normal(1, 2, 2, 2, 3)
    ),
    "keras.layers.subtract": lambda: case(
        lambda a, b: layers.subtract([a, b]), normal(4, 2), normal(4, 2)
    ),
    "keras.losses.CTC": lambda: case(
        lambda y, z: keras.losses.CTC()(y, z), below(4, 2, 3) + 1, normal(2, 9, 6)
    ),
    "keras.losses.MeanAbsoluteError": lambda: case(
        lambda y, p: keras.losses.MeanAbsoluteError(reduction="sum")(y, p),
        normal(7, 2),
        normal(7, 2),
    ),
    "keras.metrics.AUC": lambda: measured(
        keras.metrics.AUC(num_thresholds=20, curve="PR"), below(2, 14), between(0.0, 1.0, 14)
    ),
    "keras.metrics.BinaryCrossentropy": lambda: measured(
        keras.metrics.BinaryCrossentropy(from_logits=True),
        tf.cast(below(2, 8, 1), tf.float32),
        normal(8, 1),
    ),
    "keras.metrics.MeanMetricWrapper": lambda: measured(
        keras.metrics.MeanMetricWrapper(keras.losses.MSE), normal(8, 2), normal(8, 2)
    ),
    "keras.metrics.SpecificityAtSensitivity": lambda: measured(
        keras.metrics.SpecificityAtSensitivity(0.7, num_thresholds=40),
        below(2, 12),
        between(0.0, 1.0, 12),
    ),
    "keras.metrics.TopKCategoricalAccuracy": lambda: measured(
        keras.metrics.TopKCategoricalAccuracy(k=2), tf.one_hot(below(5, 9), 5), simplex(9, 5)
    ),
    "keras.optimizers.Adam.apply_gradients": lambda: stepped(
        keras.optimizers.Adam(1e-2, amsgrad=True)
    ),
    "keras.optimizers.SGD.apply_gradients": lambda: stepped(
        keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True)
    ),
}
