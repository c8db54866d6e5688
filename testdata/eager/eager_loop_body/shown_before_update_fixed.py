"""What variables are before the update is shown between it and the gradients: the step returns it."""

import tensorflow as tf

w = tf.Variable(5.0)
b = tf.Variable([0.5, 1.0])
xs = tf.range(10.0)[:, None]


def train():
    shown = []

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(w * xs + b - 3.0))
        dw, db = tape.gradient(loss, [w, b])
        w_before = tf.identity(w)
        b_before = tf.identity(b)
        w.assign_sub(0.01 * dw)
        b.assign_sub(0.01 * db)
        return loss, w_before, b_before

    for epoch in range(20):
        loss, w_before, b_before = train_step()
        shown.append((epoch, float(w_before), b_before.numpy().tolist(), loss.numpy()))
    return shown


shown = train()
