"""What is known while a trace is made, is given where a graph needs it: traced steps stay as they are."""

import tensorflow as tf

AXIS = tf.constant(1)
w = tf.Variable(tf.ones((3, 1)))
data = tf.data.Dataset.from_tensor_slices((tf.ones((8, 3)), tf.zeros((8, 1)))).batch(2)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return tf.nn.softmax(x, axis=AXIS) + tf.reduce_sum(x, axis=AXIS, keepdims=x.shape[1] > 1)


for x, y in data:
    shares = step(x, y)
total = float(tf.reduce_sum(shares))
