# The decorator puts the function into a table and gives back what it traced, which the loop runs.
import tensorflow as tf

STEPS = {}
w = tf.Variable(tf.ones([3, 2]))


def register(function):
    STEPS[function.__name__] = function
    return tf.function(function)


@register
def least_squares(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, w) - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


for _ in range(40):
    loss = least_squares(tf.ones([4, 3]), tf.zeros([4, 2]))
