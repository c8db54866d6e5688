# Nothing is known of the base of this class; that its object is called and asked for its trainable
# weights says that it is a model, and the loop behind its training runs it eagerly.
import os

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
Base = getattr(tf.keras, os.environ.get("BASE", "Model"))


class Net(Base):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, inputs):
        return tf.tanh(self.dense(inputs))


net = Net()
rate = tf.constant(0.1)
samples, labels = tf.ones([8, 4]), tf.zeros([8, 2])
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(net(samples) - labels))
for weight, gradient in zip(net.trainable_weights, tape.gradient(loss, net.trainable_weights)):
    weight.assign_sub(rate * gradient)

state = np.ones(4, dtype=np.float32)
for step in range(50):
    values = net(state[None])
    state = np.roll(state, 1) + values.numpy().max()
