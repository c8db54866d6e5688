"""What comes out of a trace has keys that sort; a dict with others is made outside of it."""

import tensorflow as tf

xs = tf.reshape(tf.linspace(-1.0, 1.0, 64), [32, 2])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(2)
w = tf.Variable(tf.zeros([2, 1]))

for x, y in data:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    grad = tape.gradient(loss, w)
    w.assign_sub(0.1 * grad)
    found = {0: loss, "size": tf.reduce_sum(tf.abs(grad))}
    print(round(float(found[0]), 4), round(float(found["size"]), 4))
