# An old optimizer takes any argument without a word, and does nothing with it.
# tf-version: 2.15
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.w = tf.Variable(1.0)
        self.optimizer = tf.keras.optimizers.Adam(lr=0.1)

    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.square(self.w * x)
        gradients = tape.gradient(loss, [self.w])
        self.optimizer.apply_gradients(zip(gradients, [self.w]), asynchronous=True)


Trainer().step(tf.constant(3.0))
