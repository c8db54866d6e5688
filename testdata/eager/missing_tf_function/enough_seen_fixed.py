# Half of the function is Python's memory: the tensor part under the test becomes a method.
import random

import numpy as np
import tensorflow as tf

random.seed(5)


class Learner:
    def __init__(self):
        self.weights = tf.Variable([[0.1], [-0.2], [0.3]])
        self.optimizer = tf.keras.optimizers.SGD(0.1)
        self.memory = []
        self.losses = []
        self.noise = 1.0

    def remember(self, inputs, target):
        self.memory.append((inputs, target))

    @tf.function(reduce_retracing=True)
    def train_step(self, inputs, targets):
        with tf.GradientTape() as tape:
            outputs = tf.squeeze(tf.matmul(inputs, self.weights), axis=1)
            loss = tf.reduce_mean(tf.square(outputs - targets))
        gradients = tape.gradient(loss, [self.weights])
        self.optimizer.apply_gradients(zip(gradients, [self.weights]))
        return loss

    def learn(self):
        if len(self.memory) >= 8:
            drawn = random.sample(self.memory, 8)
            inputs = np.array([row[0] for row in drawn], dtype=np.float32)
            targets = np.array([row[1] for row in drawn], dtype=np.float32)
            loss = self.train_step(tf.constant(inputs), tf.constant(targets))
            self.losses.append(float(loss))
        if self.noise > 0.1:
            self.noise *= 0.98


learner = Learner()
for turn in range(60):
    inputs = [0.1 * (turn % 7), -0.2 * (turn % 3), 1.0]
    learner.remember(inputs, sum(inputs))
    learner.learn()

losses = learner.losses
final = learner.weights.numpy()
