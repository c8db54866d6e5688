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
for turn in range(2000):
    step(x, len(str(turn)))
    step(x, turn & 1)
    step(x, turn >> 10)
    step(x, turn if turn < 2 else 2)
    if turn % 2:
        rate = 0.5
    else:
        rate = turn * 0.0
    step(x, rate)
