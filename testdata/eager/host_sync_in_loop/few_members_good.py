# Layers that an object holds are the parts of a model, and a generator of two yields twice.
import json

import tensorflow as tf

tf.keras.utils.set_random_seed(3)
table = json.loads("[[0.1, 0.7, 0.3], [0.4, 0.2, 0.9]]")


class Stack:
    def __init__(self):
        self.layers = [tf.keras.layers.Dense(3, "tanh"), tf.keras.layers.Dense(3)]

    def __len__(self):
        return len(self.layers)

    def __getitem__(self, place):
        return self.layers[place]


def halves(rows):
    for side in (0, 1):
        yield rows[side::2]


@tf.function
def mean_square(values):
    return tf.reduce_mean(tf.square(values))


sizes = []
values = tf.constant(table)
for layer in Stack():
    values = layer(values)
    sizes.append(mean_square(values).numpy())
for part in halves(table):
    sizes.append(mean_square(tf.constant(part)).numpy())
