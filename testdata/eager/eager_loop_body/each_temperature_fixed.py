"""A few steps for each temperature, which one step for all of them can take as a tensor."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
net = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(3)])


@tf.function
def compute_step(model, temperature, state):
    logits = model(state)[0] / temperature
    state = state + logits
    return logits, state


def sample(model, state, steps, temperature):
    found = []
    for _ in range(steps):
        logits, state = compute_step(model, tf.constant(temperature, tf.float32), state)
        found.append(int(tf.argmax(logits)))
    return found


for choice in range(2):
    print(sample(net, tf.ones((1, 3)), 6, 0.5 + choice))
