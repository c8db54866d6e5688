# What is passed is made in another size on each turn, and what the step gives is passed again: one trace has to serve all sizes.
import tensorflow as tf

weights = tf.Variable([[0.5, -0.25], [0.25, 0.5]])


def descend(rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rows @ weights))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return rows @ weights * 0.5


for length in range(1, 40):
    rows = tf.ones([length, 2])
    for _ in range(2):
        rows = descend(rows)
print(weights.numpy())
