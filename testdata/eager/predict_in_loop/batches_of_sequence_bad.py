# A `Sequence` of Keras is a data set as well, and each member a batch; what a turn computes of it
# level by level is no loop of steps.
import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
table = json.loads("[[0.1, 0.7, 0.3], [0.4, 0.2, 0.9], [0.5, 0.6, 0.8], [0.3, 0.1, 0.2]]") * 8


class Rows(tf.keras.utils.Sequence):
    def __init__(self, rows, size):
        super().__init__()
        self.rows = rows
        self.size = size

    def __len__(self):
        return len(self.rows) // self.size

    def __getitem__(self, place):
        if place >= len(self):
            raise IndexError(place)
        return np.asarray(self.rows[place * self.size : (place + 1) * self.size]), place


class Evaluation:
    def __init__(self, rows, model):
        self.rows = rows
        self.model = model

    def run(self, levels):
        found = []
        for batch, place in self.rows:
            scores = self.model.predict(batch)
            for level in range(levels):
                found.append(tf.reduce_sum(tf.nn.relu(scores - level / levels)) + place)
        return tf.stack(found)


model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
found = Evaluation(Rows(table, 4), model).run(5).numpy()
