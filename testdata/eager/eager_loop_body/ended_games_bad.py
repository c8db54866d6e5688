"""What NumPy computes of an array of flags is cast where the step is called, as eager code casts it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam(0.01)
states = np.sin(np.arange(192, dtype=np.float32)).reshape(64, 3)
rewards = states.sum(axis=1)
ended = np.arange(64) % 7 == 0
np.random.seed(4)

losses = []
for turn in range(12):
    rows = np.random.choice(64, 8)
    state, following, reward, done = states[rows], states[rows - 1], rewards[rows], ended[rows]
    best = tf.reduce_max(model(following), axis=1)
    wanted = reward + 0.9 * best * (1 - done)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(wanted - model(state)[:, 0]))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    losses.append(float(loss))
