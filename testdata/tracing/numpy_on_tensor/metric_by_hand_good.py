# A metric that eager code updates itself, and one of a model that is compiled and never fitted.
import numpy as np
import tensorflow as tf


class Hits(tf.keras.metrics.Metric):
    def __init__(self, name="hits", **options):
        super().__init__(name=name, **options)
        self.total = self.add_weight(name="total", initializer="zeros")

    def update_state(self, y_true, y_pred, sample_weight=None):
        self.total.assign_add(np.sum(y_pred))

    def result(self):
        return self.total


def spread(y_true, y_pred):
    return np.std(y_pred)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse", metrics=[spread])
other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
other.compile("adam", loss="mse")
other.fit(np.ones([8, 4]), np.ones([8, 1]))
hits = Hits()
hits.update_state(np.ones([8, 1]), other(np.ones([8, 4])))
print(spread(None, other(np.ones([8, 4]))), hits.result())
