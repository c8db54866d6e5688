"""The loop over variables takes the name of one of them: it is given back as it is only where the
loop stays in Python."""

import tensorflow as tf


def main():
    a = tf.Variable(tf.ones([4, 3]) * 0.5)
    b = tf.Variable(tf.ones([3, 1]))
    x = tf.ones([2, 4])
    for _ in range(30):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.matmul(tf.matmul(x, a), b)))
        gradients = tape.gradient(loss, [a, b])
        for b, g in zip([a, b], gradients):
            b.assign_sub(0.01 * g)
    print(float(loss), b.numpy())


main()
