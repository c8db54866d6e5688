"""A schedule of one's own is run by the optimizer: its code may keep count, and is not looked into."""

import tensorflow as tf


class Halving(tf.keras.optimizers.schedules.LearningRateSchedule):
    def __call__(self, step):
        return 0.01 * 0.5 ** tf.cast(step, tf.float32)


optimizer = tf.keras.optimizers.SGD(Halving())
w = tf.Variable(tf.ones([4, 1]))
x, y = tf.ones([3, 4]), tf.zeros([3, 1])

for _ in range(9):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    gradients = tape.gradient(loss, [w])
    optimizer.apply_gradients(zip(gradients, [w]))
    print(float(loss))
