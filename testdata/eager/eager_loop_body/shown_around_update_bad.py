"""A variable is looked at on both sides of an update that moves: the step returns both values."""

import tensorflow as tf

w = tf.Variable(tf.ones([2, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)
x = tf.reshape(tf.linspace(-1.0, 1.0, 44), [22, 2])
data = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, 1, keepdims=True))).batch(11)
moved = []
for features, targets in data.repeat(4):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(features @ w - 1.5 * targets))
    gradient = tape.gradient(loss, w)
    old = w.numpy().sum()
    w.assign_add(tf.ones_like(w) * 0.125)
    moved.append(w.numpy().sum() - old)
    optimizer.apply_gradients([(gradient, w)])
print(moved)
