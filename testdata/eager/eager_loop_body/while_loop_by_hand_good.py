# The descent is written as `tf.while_loop` in a traced function: no turn comes back to Python.
import tensorflow as tf

x = tf.constant([0.0, 0.25, 0.5, 0.75, 1.0])
y = tf.constant([0.9, 1.6, 2.1, 2.4, 3.1])


def improved(turn, slope, offset):
    error = slope * x + offset - y
    slope_change = 2.0 * tf.reduce_mean(error * x)
    offset_change = 2.0 * tf.reduce_mean(error)
    return turn + 1, slope - 0.1 * slope_change, offset - 0.1 * offset_change


@tf.function
def fitted(turns):
    start = (tf.constant(0), tf.constant(0.0), tf.constant(0.0))
    return tf.while_loop(lambda turn, slope, offset: turn < turns, improved, start)


_, slope, offset = fitted(tf.constant(200))
print(f"{float(slope):.3f} {float(offset):.3f}")
