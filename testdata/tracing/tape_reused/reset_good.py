# A tape that is reset, entered again or handed on, and one that watches the constant.
import tensorflow as tf

x = tf.Variable(2.0)
point = tf.constant(3.0)


def after_a_reset():
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()
        y = x * x
    first = tape.gradient(y, x)
    with tape:
        y = x * x
    return first, tape.gradient(y, x)


def handed_on(optimizer):
    with tf.GradientTape() as tape:
        loss = x * x
    return optimizer(loss, tape)


def watched():
    with tf.GradientTape() as tape:
        tape.watch(point)
        y = point * point
    return tape.gradient(y, point)


results = after_a_reset(), handed_on(lambda loss, tape: tape.gradient(loss, x)), watched()
