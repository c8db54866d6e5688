# `trainable` is changed by another function: a wrapper would freeze it, so no fix is offered.
import numpy as np
import tensorflow as tf

policy = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])


def act(state):
    return int(np.argmax(policy(state[None], training=False)))


def thaw():
    policy.trainable = True


policy.trainable = False
state = np.ones(4, dtype=np.float32)
for step in range(200):
    state = np.roll(state, act(state)) * 0.9
thaw()
print(state)
