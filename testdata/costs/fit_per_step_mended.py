"""An agent that fits its network to what it has just seen, on every step."""
import numpy as np
import tensorflow as tf

STEPS = 40

rng = np.random.default_rng(6)
model = tf.keras.Sequential([
    tf.keras.Input((6,)),
    tf.keras.layers.Dense(24, activation="relu"),
    tf.keras.layers.Dense(2),
])
model.compile(optimizer=tf.keras.optimizers.Adam(1e-3), loss="mse")
state = np.zeros(6, dtype=np.float32)

for step in range(STEPS):
    wanted = np.array([state.sum(), state.max()], dtype=np.float32)
    model.train_on_batch(state[None], wanted[None])
    state = np.clip(state + rng.normal(size=6), -1, 1).astype(np.float32)
