# The layer stands in a Sequential model that is fitted: Keras 3 traces `call` and lets AutoGraph
# convert nothing of it, so that the `if` on a tensor raises as soon as the model is built.
import tensorflow as tf


class Gate(tf.keras.layers.Layer):
    def call(self, x):
        if tf.reduce_mean(x) > 0.0:
            return x * 2.0
        return x


model = tf.keras.Sequential([tf.keras.layers.Dense(2), Gate()])
model.compile("sgd", "mse")
try:
    model.fit(tf.ones([8, 3]), tf.ones([8, 2]), verbose=0)
    failed = False
except Exception:
    failed = True
