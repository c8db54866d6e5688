# The model is set again by a branch that comes before all calls: the trace holds the one in use.
import sys

import tensorflow as tf


def make_scorer():
    return tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


class Contest:
    def __init__(self):
        self.scorer = make_scorer()

    def load(self, path):
        self.scorer = make_scorer()
        self.scorer.load_weights(path)

    @tf.function
    def score(self, rows):
        scores = self.scorer(rows)
        chances = tf.nn.softmax(scores, axis=0)
        return tf.reduce_sum(chances * scores) + tf.reduce_max(scores)


contest = Contest()
if len(sys.argv) > 1:
    contest.load(sys.argv[1])
rows = tf.linspace(tf.zeros([3]), tf.ones([3]), 4)
best = tf.zeros([])
for attempt in range(50):
    best = tf.maximum(best, contest.score(rows * (attempt / 50)))
print(float(best))
