# The traced step takes the gradients of several tasks and one update: that is one step, no epoch.
import tensorflow as tf

w = tf.Variable([0.5, -0.5])
tasks = tf.reshape(tf.range(24, dtype=tf.float32), [4, 3, 2]) / 24.0


@tf.function
def meta_step():
    total = tf.zeros([2])
    loss = tf.constant(0.0)
    for number in range(4):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(tasks[number], w) - 1.0))
        total += tape.gradient(loss, w)
    w.assign_sub(0.01 * total)
    return loss


losses = []
for step in range(60):
    loss = meta_step()
    losses.append(float(loss))
