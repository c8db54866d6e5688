# A model held by an instance is wrapped behind the last layer that `__init__` adds to it.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)


class Walker:
    def __init__(self, size):
        self.size = size
        self.network = tf.keras.Sequential(
            [tf.keras.Input((size,)), tf.keras.layers.Dense(16, activation="relu")]
        )
        self.network.add(tf.keras.layers.Dense(3))
        self.traced_network = tf.function(self.network, reduce_retracing=True)
        self.seen = 0

    def choose(self, state):
        self.seen += 1
        scores = self.traced_network(np.expand_dims(state, 0), training=False)
        return int(tf.argmax(scores[0]))


def walk(walker, steps):
    state = np.full(walker.size, 0.1, dtype=np.float32)
    path = []
    for _ in range(steps):
        action = walker.choose(state)
        state = np.roll(state, action) * np.float32(0.99)
        path.append(action)
    return path


walker = Walker(4)
path = walk(walker, 25)
