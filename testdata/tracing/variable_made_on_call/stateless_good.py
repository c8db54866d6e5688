# Layers without weights, losses and schedules make no variables; nor does eager code each time.
import tensorflow as tf


def make_model(size):
    inputs = tf.keras.Input((size,))
    hidden = tf.keras.layers.Dense(4)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(hidden))


class Head(tf.keras.layers.Layer):
    def call(self, x):
        x = tf.keras.layers.Rescaling(0.5)(x)
        return tf.keras.layers.Flatten()(tf.keras.layers.ReLU()(x))


@tf.function
def loss_of(x, y):
    mean_squared = tf.keras.losses.MeanSquaredError()
    schedule = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.9)
    return mean_squared(x, y) * schedule(1.0)


def evaluate(x, y):
    metric = tf.keras.metrics.Mean()
    for row, label in zip(x, y):
        metric.update_state(loss_of(row, label))
    return metric.result()


models = [make_model(size) for size in (2, 3)]
flat = Head()(tf.ones([1, 2, 2]))
mean = evaluate(tf.ones([2, 3]), tf.zeros([2, 3]))
