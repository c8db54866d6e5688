"""A value network that `predict` asks about one state at a time."""
import numpy as np
import tensorflow as tf

STEPS = 40

values = tf.keras.Sequential([
    tf.keras.Input((5,)),
    tf.keras.layers.Dense(16, activation="relu"),
    tf.keras.layers.Dense(3),
])
rng = np.random.default_rng(1)
state = np.zeros(5, dtype=np.float32)

for step in range(STEPS):
    best = int(np.argmax(values(state[None], training=False).numpy()[0]))
    state = np.clip(state + 0.1 * best + rng.normal(size=5), -1, 1).astype(np.float32)
