"""Counts of traces: they are shown and asserted on, and nothing goes on from them."""

import tensorflow as tf

runs = 0


class Model:
    def __init__(self):
        self.compilations = 0

    @tf.function
    def score(self, x):
        global runs
        runs += 1
        self.compilations += 1
        return tf.reduce_mean(tf.square(x))


model = Model()
for scale in (1.0, 2.0, 3.0):
    value = model.score(tf.constant([scale]))
print("made", runs, "graphs")
print(f"made {model.compilations} graphs")
assert runs == 1
