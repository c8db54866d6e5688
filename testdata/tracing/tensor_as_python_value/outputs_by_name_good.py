# What a model gives may be a dict, of which `in` asks for a key, and no tensor for its value.
import tensorflow as tf


def detector(with_rest):
    rows = tf.keras.Input([4])
    given = {"boxes": tf.keras.layers.Dense(2)(rows)}
    if with_rest:
        given["rest"] = tf.keras.layers.Dense(1)(rows)
    return tf.keras.Model(rows, given)


def losses(outputs):
    total = tf.reduce_mean(tf.square(outputs["boxes"]))
    if "rest" in outputs:
        total += tf.reduce_mean(tf.square(outputs["rest"]))
    return total


@tf.function
def loss_of(model, rows):
    return losses(model(rows, training=True))


loss = loss_of(detector(True), tf.ones([2, 4]))
