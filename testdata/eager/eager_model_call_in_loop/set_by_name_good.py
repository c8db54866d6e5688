"""The model is replaced by way of its name: a wrapper made once would go on with the old one."""

import tensorflow as tf


class Scorer:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units)])

    def replace(self, **parts):
        for name, part in parts.items():
            setattr(self, name, part)

    def score(self, turns):
        total = 0.0
        for turn in range(turns):
            total += float(tf.reduce_sum(self.model(tf.ones((1, 3)) * turn)))
        return total


scorer = Scorer(1)
print(scorer.score(100))
scorer.replace(model=tf.keras.Sequential([tf.keras.layers.Dense(2)]))
print(scorer.score(100))
