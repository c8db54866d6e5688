"""What is computed of a counter has one value, or few."""

import tensorflow as tf

x = tf.constant([1.0, 2.0])


@tf.function
def step(x, rate):
    return x * rate


def train(turns):
    for turn in range(turns):
        step(x, turn // 1000)
        step(x, max(turn, 50))


for turn in range(30):
    step(x, turn // 100)
    step(x, min(turn, 0))
    step(x, max(turn, 40) * 0.5)
train(20)
