# A model at module level is wrapped once, behind its last layer, for both functions that call it.
import numpy as np
import tensorflow as tf

np.random.seed(3)

policy = tf.keras.Sequential()
policy.add(tf.keras.Input([4]))
policy.add(tf.keras.layers.Dense(8, activation="tanh"))
policy.add(tf.keras.layers.Dense(2))
traced_policy = tf.function(policy, reduce_retracing=True)


def act(state):
    return int(np.argmax(traced_policy(state[None], training=False)))


def value(state):
    return traced_policy(state[None], training=False).numpy().max()


total = 0.0
for episode in range(3):
    state = np.random.randn(4).astype(np.float32)
    for step in range(30):
        total += value(state)
        state = np.roll(state, 1) * (0.9 if act(state) else 0.8)
print(total)
