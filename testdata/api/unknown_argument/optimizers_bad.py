# `lr` is `learning_rate` in each optimizer, wherever among the arguments.
# intent: correcting
import tensorflow as tf
from tensorflow.keras.optimizers import SGD, RMSprop

w = tf.Variable([1.0, -2.0])
x = tf.constant([[0.5, 1.0], [2.0, -1.0]])


def train(optimizer, steps):
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(tf.linalg.matvec(x, w)))
        gradient = tape.gradient(loss, w)
        optimizer.apply_gradients([(gradient, w)])


train(tf.keras.optimizers.Adam(lr=0.05), 3)
train(SGD(momentum=0.9, lr=0.01), 2)
train(RMSprop(lr=1e-3), 2)
