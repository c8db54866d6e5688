# The model is compiled to run eagerly: Keras calls `call` with values, and the `if` has a truth.
import tensorflow as tf


class Gate(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x):
        hidden = self.dense(x)
        if tf.reduce_mean(hidden) > 0.0:
            return hidden * 2.0
        return hidden


model = Gate()
model.compile("sgd", "mse", run_eagerly=True)
model.fit(tf.ones([8, 3]), tf.ones([8, 2]), verbose=0)
weights = len(model.weights)
