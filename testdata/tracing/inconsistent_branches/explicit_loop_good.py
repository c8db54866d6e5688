# The loops are told which dimension grows, keep their shapes (a row comes in, and one goes), or turn
# eagerly, where nothing holds a shape.
import tensorflow as tf


@tf.function
def repeated(x):
    def body(i, rows):
        return i + 1, tf.concat([rows, x], axis=0)

    start = [tf.constant(0), x]
    invariants = [tf.TensorShape([]), tf.TensorShape([None, 2])]
    return tf.while_loop(lambda i, rows: i < 3, body, start, shape_invariants=invariants)


@tf.function
def shifted(x):
    def body(i, rows):
        return i + 1, tf.concat([rows[1:], x[:1]], axis=0)

    return tf.while_loop(lambda i, rows: i < 3, body, [tf.constant(0), x])


def eager(x):
    body = lambda i, rows: (i + 1, tf.concat([rows, x], axis=0))
    return tf.while_loop(lambda i, rows: i < 3, body, [tf.constant(0), x])


_, first = repeated(tf.ones([1, 2]))
_, second = shifted(tf.ones([2, 2]))
_, third = eager(tf.ones([1, 2]))
