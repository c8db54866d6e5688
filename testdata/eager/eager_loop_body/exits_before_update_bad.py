# What may end the program, or read the weights by another name, stands before the update: moved
# behind it it would see one update more, so no move is safe.
import sys

import tensorflow as tf

w = tf.Variable(tf.ones([2, 1]))
held = [w]
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.random.stateless_normal([22, 2], seed=[1, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(11)


def until_good():
    for features, targets in data.repeat(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((features @ w - 1.5 * targets) ** 2)
        gradient = tape.gradient(loss, w)
        if loss < 0.05:
            sys.exit()
        optimizer.apply_gradients([(gradient, w)])


def shown():
    for features, targets in data.repeat(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((features @ w - 1.5 * targets) ** 2)
        gradient = tape.gradient(loss, w)
        print(float(loss), held[0].numpy())
        optimizer.apply_gradients([(gradient, w)])


shown()
until_good()
