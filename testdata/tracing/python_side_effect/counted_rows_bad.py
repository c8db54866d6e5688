# intent: correcting
"""A counter of rows whose name holds the letters of "trace", and which the program goes on from."""

import tensorflow as tf


class Reader:
    def __init__(self):
        self.extracted = 0

    @tf.function
    def rows(self, x):
        self.extracted += 1
        return tf.reduce_sum(x, axis=1)

    def is_due(self):
        return self.extracted % 2 == 0


reader = Reader()
due = []
for turn in range(4):
    reader.rows(tf.ones([2, 3]) * float(turn))
    due.append(reader.is_due())
