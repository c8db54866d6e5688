# Models whose call can't be traced, for what it or a part of it does: a report would advise what fails.
import numpy as np
import tensorflow as tf


class Ranked(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3, kernel_initializer="ones")

    def call(self, inputs):
        scores = self.dense(inputs)
        return tf.gather(scores, np.argsort(scores.numpy()[0]), axis=1)


class Proposing(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4, kernel_initializer="ones")
        self.ranked = Ranked()

    def call(self, inputs):
        return self.ranked(self.dense(inputs))


class Boxes(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.ones([4, 2]))

    def kept(self, rows):
        found = np.zeros([2])
        for index, row in enumerate(np.asarray(rows)):
            if row[0] > 0.0:
                found[index] = row[0]
        return found

    def __call__(self, inputs):
        return self.kept(tf.nn.relu(inputs @ self.w))


proposing, boxes = Proposing(), Boxes()
state = np.ones(4, dtype=np.float32)

for step in range(50):
    values = proposing(state[None])
    first = boxes(tf.constant(state[None]))
    state = np.roll(state, 1) * np.float32(0.5) + values.numpy().max() + np.float32(first[0])
