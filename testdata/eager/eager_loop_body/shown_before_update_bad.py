"""What variables are before the update is shown between it and the gradients: the step returns it."""

import tensorflow as tf

w = tf.Variable(5.0)
b = tf.Variable([0.5, 1.0])
xs = tf.range(10.0)[:, None]


def train():
    shown = []
    for epoch in range(20):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(w * xs + b - 3.0))
        dw, db = tape.gradient(loss, [w, b])
        shown.append((epoch, float(w), b.numpy().tolist(), loss.numpy()))
        w.assign_sub(0.01 * dw)
        b.assign_sub(0.01 * db)
    return shown


shown = train()
