"""The step needs the environment's answer: its model and its update are traced, the rest stays."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
policy = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.01)


def respond(action):
    return -abs(float(action) - 0.5)


rewards = []
state = np.ones((1, 3), np.float32)
for step in range(20):
    with tf.GradientTape() as tape:
        action = policy(state)
        reward = respond(action[0, 0])
        loss = -reward * tf.reduce_sum(action)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))
    rewards.append(reward)
