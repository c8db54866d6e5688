# How many tensors a list holds is known while tracing; who traces the call himself has nothing to be told.
import tensorflow as tf


class Mixed(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.parts = [tf.keras.layers.Dense(4), tf.keras.layers.Dense(4)]

    def call(self, x):
        given = [part(x) for part in self.parts]
        return tf.add_n(given) / len(given)


model = Mixed()
run = tf.function(model)
rows = tf.reshape(tf.sin(tf.range(32.0)), [8, 4])
for _ in range(50):
    rows = run(rows)
print(tf.reduce_sum(rows).numpy())
