"""Blocks of a functional model: what a loop calls makes layers and puts them on what it is given."""

import functools

import tensorflow as tf

Norm = functools.partial(tf.keras.layers.BatchNormalization, momentum=0.9)


def conv(filters, **options):
    return tf.keras.layers.Conv2D(filters, 3, padding="same", **options)


def block(inputs, filters, seed):
    seeds = tf.random.experimental.stateless_split([seed, seed + 1], 2)[:, 0]
    x = Norm()(inputs)
    x = tf.keras.layers.Activation("relu")(x)
    x = conv(filters, kernel_regularizer=tf.keras.regularizers.l2(1e-4))(x)
    x = Norm()(x)
    x = tf.keras.layers.Activation("relu")(x)
    if not inputs.shape.is_compatible_with(x.shape):
        inputs = conv(filters)(inputs)
    initializer = tf.keras.initializers.HeNormal(seed=int(seeds[0]))
    x = conv(filters, kernel_initializer=initializer)(x)
    x = tf.keras.layers.SpatialDropout2D(0.1, seed=int(seeds[1]))(x)
    return tf.keras.layers.add([x, inputs])


def group(inputs, filters, count):
    x = block(inputs, filters, 7)
    for i in range(count - 1):
        x = block(x, filters, i)
    return x


def build(size, depth):
    inputs = tf.keras.Input([size, size, 8])
    x = Norm()(inputs)
    x = group(x, 8, (depth - 4) // 2)
    return tf.keras.Model(inputs, x)


model = build(8, 60)
