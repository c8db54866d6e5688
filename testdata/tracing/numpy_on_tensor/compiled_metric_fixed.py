# Keras traces what it updates a metric with, and the metric that is a function.
# intent: correcting
import numpy as np
import tensorflow as tf


class Hits(tf.keras.metrics.Metric):
    def __init__(self, name="hits", **options):
        super().__init__(name=name, **options)
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(tf.reduce_sum(y_pred))

    def result(self):
        return self.total


def spread(y_true, y_pred):
    return tf.math.reduce_std(y_pred)


class Trainer:
    def __init__(self):
        self.network = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        self.network.compile("adam", loss="mse", metrics={"dense": [Hits(), spread]})

    def train(self, x, y):
        self.network.fit(x, y)


Trainer().train(np.ones([8, 4]), np.ones([8, 1]))
