# The step stands under a test on Python's memory: the hoisted part is within the branch.
import collections
import random

import numpy as np
import tensorflow as tf

random.seed(3)
weights = tf.Variable([[0.1, -0.2], [0.0, 0.3], [0.2, 0.1]])
target_weights = tf.Variable(weights)
optimizer = tf.keras.optimizers.SGD(0.05)
memory = collections.deque(maxlen=32)
losses = []

state = np.array([1.0, 0.0, 0.5], np.float32)


@tf.function(reduce_retracing=True)
def train_step(states, rewards, nexts):
    with tf.GradientTape() as tape:
        following = tf.reduce_max(tf.matmul(nexts, target_weights), axis=1)
        best = tf.reduce_max(tf.matmul(states, weights), axis=1)
        loss = tf.reduce_mean(tf.square(rewards + 0.9 * following - best))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


for turn in range(60):
    action = random.randrange(2)
    next_state = np.roll(state, 1 + action)
    memory.append((state, float(next_state[0]), next_state))
    state = next_state

    if len(memory) >= 8:
        # Learn from what was seen before.
        drawn = random.sample(list(memory), 8)
        states = np.array([row[0] for row in drawn], np.float32)
        rewards = np.array([row[1] for row in drawn], np.float32)
        nexts = np.array([row[2] for row in drawn], np.float32)
        loss = train_step(tf.constant(states), tf.constant(rewards), tf.constant(nexts))
        losses.append(float(loss))

    if turn % 20 == 19:
        target_weights.assign(weights)

final = weights.numpy()
