"""The losses of layers are asked for below the tape: no trace of the model alone may keep them."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
policy = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(1, activity_regularizer="l2")]
)
optimizer = tf.keras.optimizers.SGD(0.01)


def respond(action):
    return -abs(float(action) - 0.5)


rewards = []
state = np.ones((1, 3), np.float32)


@tf.function
def update_step(gradients):
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))


for step in range(20):
    with tf.GradientTape() as tape:
        action = policy(state)
        reward = respond(action[0, 0])
        loss = -reward * tf.reduce_sum(action) + tf.add_n(policy.losses)
    gradients = tape.gradient(loss, policy.trainable_variables)
    update_step(gradients)
    rewards.append(reward)
