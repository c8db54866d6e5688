"""A cart is pushed: the net that chooses is asked eagerly, the step that teaches it is a graph."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

PUSHES = 40

policy = tf.keras.Sequential([
    layers.Input((4,)), layers.Dense(24, activation="relu"), layers.Dense(2),
])
optimizer = tf.keras.optimizers.RMSprop(1e-3)


@tf.function
def teach(states, actions, gains):
    with tf.GradientTape() as tape:
        scores = tf.nn.log_softmax(policy(states))
        chosen = tf.reduce_sum(scores * tf.one_hot(actions, 2), axis=1)
        loss = -tf.reduce_mean(chosen * gains)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))


draw = np.random.default_rng(6)
state = np.zeros(4, np.float32)
states, actions, gains = np.zeros((16, 4), np.float32), np.zeros(16, np.int64), np.zeros(16, np.float32)
for turn in range(PUSHES):
    scores = policy(tf.constant(state[None]))
    chances = tf.nn.softmax(scores)[0].numpy().astype(np.float64)
    action = int(draw.choice(2, p=chances / chances.sum()))
    states[turn % 16], actions[turn % 16] = state, action
    state = 0.9 * state + draw.normal(0.0, 0.1, 4).astype(np.float32) + 0.1 * (action - 0.5)
    gains[turn % 16] = 1.0 - abs(state[0])
    teach(tf.constant(states), tf.constant(actions), tf.constant(gains))
