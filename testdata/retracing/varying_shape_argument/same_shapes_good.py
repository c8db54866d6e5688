# Slices of one length, windows that stay and a fixed number of turns keep the shape.
import numpy as np
import tensorflow as tf

frames = tf.zeros([100, 8])


@tf.function
def step(batch):
    return tf.reduce_sum(batch)


window = []
for i in range(92):
    step(frames[i])
    step(frames[i : i + 8])
    step(frames[i][tf.newaxis])
    window.append(frames[i])
    window = window[-4:]
    step(tf.stack(window))

for size in (16, 32):
    step(tf.zeros([size]))

for i in range(90):
    if i % 30 == 0:
        step(frames[:i])


def collect(env):
    for episode in range(100):
        states = []
        for _ in range(64):
            state, reward, done, _ = env.step(0)
            states.append(state)
        step(np.array(states))
