# The model is replaced between rounds, and a trace would keep the first: each model is wrapped where it is set.
import tensorflow as tf


class Scorer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(6, activation="tanh")
        self.outer = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.outer(self.inner(x))


class Contest:
    def __init__(self):
        self.scorer = Scorer()

    def next_round(self):
        self.scorer = Scorer()

    def score(self, rows):
        scores = self.scorer(rows)
        chances = tf.nn.softmax(scores, axis=0)
        return tf.reduce_sum(chances * scores) + tf.reduce_max(scores)


contest = Contest()
rows = tf.ones([4, 3])
for number in range(3):
    best = tf.zeros([])
    for attempt in range(12):
        best = tf.maximum(best, contest.score(rows * (attempt / 50)))
    contest.next_round()
    print(float(best))
