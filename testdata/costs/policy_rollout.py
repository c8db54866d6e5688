"""An agent that asks its network on every step of a made-up game."""
import numpy as np
import tensorflow as tf

EPISODES = 3

policy = tf.keras.Sequential([
    tf.keras.Input((4,)),
    tf.keras.layers.Dense(32, activation="tanh"),
    tf.keras.layers.Dense(32, activation="tanh"),
    tf.keras.layers.Dense(2),
])
rng = np.random.default_rng(3)

for episode in range(EPISODES):
    state = np.zeros(4, dtype=np.float32)
    for step in range(25):
        logits = policy(state[None], training=False)
        action = int(np.argmax(logits[0]))
        state = (0.9 * state + 0.1 * rng.normal(size=4) + 0.05 * action).astype(np.float32)
