"""A few steps for each whole divisor, by a model that stays: no step of its own pays for each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(3)])


def sample(model, state, steps, divisor):
    found = []
    for _ in range(steps):
        logits = model(state)[0] / divisor
        found.append(int(tf.argmax(logits)))
        state = state + logits
    return found


for choice in range(2):
    print(sample(net, tf.ones((1, 3)), 6, 1 + choice))
