# Prints without a tensor, counts of traces and debug flags speak of the trace itself.
import tensorflow as tf

trace_count = 0


@tf.function
def step(x):
    global trace_count
    trace_count += 1
    print("Tracing step", x.shape, x.dtype)
    tf.print("value", x)
    return x + 1.0


@tf.function
def checked(x, debug=False):
    y = tf.square(x)
    if debug:
        print("graph node", y)
    return y


stepped = step(tf.constant(1.0))
squared = checked(tf.constant(2.0))
