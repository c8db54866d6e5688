# Keras runs `call` without AutoGraph, so that `len` of a tensor, which eager code knows, is an error in a trace.
import tensorflow as tf


class Growing(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x):
        return self.dense(x) / len(x)


model = Growing()
rows = tf.reshape(tf.sin(tf.range(32.0)), [8, 4])
for _ in range(50):
    rows = model(rows)
print(tf.reduce_sum(rows).numpy())
