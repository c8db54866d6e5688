# The layer is called on a symbolic tensor of Keras, which has no rows that a `for` could go through:
# with Keras 3 nothing converts the loop in `call`.
import tensorflow as tf


class RowSum(tf.keras.layers.Layer):
    def call(self, x):
        total = 0.0
        for row in tf.abs(x):
            total = total + tf.reduce_sum(row)
        return total


inputs = tf.keras.Input([4])
try:
    outputs = RowSum()(inputs)
    failed = False
except Exception:
    failed = True
