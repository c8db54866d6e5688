# Layers, metrics and models that a function makes and runs on each step of eager code have fresh
# variables each time: by their name, at once, and one call below the `call` of a model.
import tensorflow as tf

x = tf.reshape(tf.linspace(-1.0, 1.0, 256), [64, 4])
data = tf.data.Dataset.from_tensor_slices(x).batch(2)


def encoded(rows):
    hidden = tf.keras.layers.Dense(3, activation="relu")
    return tf.keras.layers.LayerNormalization()(hidden(rows))


def error_of(rows):
    metric = tf.keras.metrics.MeanSquaredError()
    metric.update_state(rows, tf.zeros_like(rows))
    return metric.result()


class Features(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, rows):
        return self.dense(normal(rows))


def normal(rows):
    return tf.keras.layers.BatchNormalization()(rows)


def distance(rows):
    features = Features()
    return tf.reduce_sum(features(rows))


for rows in data:
    code = encoded(rows)
    error = error_of(code)
    far = distance(rows)
