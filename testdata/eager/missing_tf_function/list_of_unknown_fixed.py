# A list of what a buffer holds may be one of Python numbers, other ones on each call: the step that is
# made takes none.
import random
from collections import deque

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.value = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(1)])
        self.traced_value = tf.function(self.value, reduce_retracing=True)
        self.optimizer = tf.keras.optimizers.Adam(0.001)
        self.buffer = deque(maxlen=1000)

    def improve(self):
        ended = []
        batch = random.sample(list(self.buffer), 32)
        for one in batch:
            ended.append(one[1])
        states = np.array([one[0] for one in batch])
        wanted = 0.95 * ([not end for end in ended] * tf.reshape(self.traced_value(states), [-1]))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.traced_value(states) - wanted[:, None]))
        weights = self.value.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss


agent = Agent()
for turn in range(100):
    agent.buffer.append((np.ones([8], np.float32), turn % 10 == 0))
for turn in range(100):
    agent.improve()
