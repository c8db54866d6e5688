# Each call stands alone and brings another dtype: the print is there to show that each is traced.
import tensorflow as tf


@tf.function
def twice(value):
    print("traced with", value)
    return value + value


numbers = twice(tf.constant(4)), twice(tf.constant(0.5)), twice(tf.constant("ab"))


@tf.function
def less(value):
    rest = value - 1
    print("while tracing:", rest)
    tf.print("when run:", rest)
    return rest


rests = [less(tf.constant(n)) for n in range(3)]
