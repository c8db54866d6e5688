"""A few steps for each temperature, which one step for all of them can take as a tensor."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(3)])


def sample(model, state, steps, temperature):
    found = []
    for _ in range(steps):
        logits = model(state)[0] / temperature
        found.append(int(tf.argmax(logits)))
        state = state + logits
    return found


for choice in range(2):
    print(sample(net, tf.ones((1, 3)), 6, 0.5 + choice))
