# `tf.function` stands on `call` itself, so that AutoGraph converts the `if` though Keras 3 does not.
import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    @tf.function
    def call(self, x):
        if tf.reduce_mean(x) > 0.0:
            return x * 2.0
        return x


model = tf.keras.Sequential([tf.keras.layers.Dense(2), Gate()])
model.compile("sgd", "mse")
model.fit(tf.ones([8, 3]), tf.ones([8, 2]), verbose=0)
weights = len(model.weights)
