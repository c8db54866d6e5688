# Memory, draws and counter stay in Python; the tape and the update become a method of their own.
import collections
import random

import numpy as np
import tensorflow as tf

random.seed(2)


class Learner:
    def __init__(self):
        self.memory = collections.deque(maxlen=100)
        self.net = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.updates = 0

    def learn(self):
        if len(self.memory) < 8:
            return None
        # draw from the memory
        batch = random.sample(self.memory, 8)
        states = np.array([state for state, _ in batch], dtype=np.float32)
        rewards = np.array([reward for _, reward in batch], dtype=np.float32)

        # bring the first output closer to the rewards
        with tf.GradientTape() as tape:
            values = self.net(states)
            loss = tf.reduce_mean(tf.square(rewards - values[:, 0]))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))

        self.updates += 1
        return float(loss)


learner = Learner()
losses = []
for step in range(20):
    state = np.cos(np.arange(3) + step).astype(np.float32)
    learner.memory.append((state, float(state[0])))
    loss = learner.learn()
    if loss is not None:
        losses.append(loss)
print(learner.updates, np.mean(losses))
