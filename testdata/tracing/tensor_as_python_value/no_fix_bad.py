# `assert`, formats, lists and membership need a value, and nothing says the same in a graph.
# intent: correcting
import tensorflow as tf


def check(loss):
    assert tf.math.is_finite(loss), "the loss is not finite"
    assert loss > 0 and loss < 100
    return loss


@tf.function
def step(x):
    loss = tf.reduce_mean(tf.square(x))
    check(loss)
    text = f"loss {loss:.3f} of {x}"
    tf.print(text, "%d of %s" % (loss, x), "{0:.1f} and {name:>8}".format(loss, name=loss))
    largest = max([loss, tf.constant(1.0)])
    if any([loss > 1.0, loss < -1.0]) or loss not in [2.0, 3.0]:
        largest += 1.0
    return largest, list(x * 2.0)


stepped = step(tf.ones([3]))
