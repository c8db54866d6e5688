# Python slices arrays for each turn: it does so for several, stacks what is alike, and adds up afterwards.
import numpy as np
import tensorflow as tf

BATCH = 16
EPOCHS = 3
order_rng = np.random.RandomState(7)
points = order_rng.uniform(-1, 1, size=(100, 2)).astype("float32")
values = np.sin(3 * points[:, :1]) * points[:, 1:]
kernel = tf.Variable(tf.zeros([2, 8]) + tf.range(8.0) / 8.0)
readout = tf.Variable(tf.zeros([8, 1]))


@tf.function(reduce_retracing=True)
def fit_batch(at, wanted, lr):
    with tf.GradientTape() as tape:
        error = tf.tanh(at @ kernel) @ readout - wanted
        loss = tf.reduce_mean(tf.square(error))
    for variable, gradient in zip([kernel, readout], tape.gradient(loss, [kernel, readout])):
        variable.assign_sub(lr * gradient)
    return loss


history = []
for epoch in range(EPOCHS):
    order = order_rng.permutation(len(points))
    total, count = 0.0, 0
    for start in range(0, len(points), BATCH):
        chosen = order[start : start + BATCH]
        at = tf.constant(points[chosen])
        total += float(fit_batch(at, tf.constant(values[chosen]), lr=tf.constant(0.1)))
        count += 1
    history.append(total / count)
    print("epoch", epoch, "loss %.5f" % history[-1])
