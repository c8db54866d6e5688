# An explicit `tf.while_loop` holds its variables to the shapes that they begin with: eagerly it turns
# in Python and takes what grows, and a trace raises.
import tensorflow as tf


@tf.function
def repeated(x):
    def body(i, rows):
        longer = tf.concat([rows, x], axis=0)
        return i + 1, longer

    _, rows = tf.while_loop(lambda i, rows: i < 3, body, [tf.constant(0), x])
    return rows


@tf.function
def sampled(seed):
    turns = lambda i, ids: i < 4
    return tf.while_loop(
        turns, lambda i, ids: (i + 1, tf.concat([ids, [i]], 0)), loop_vars=(0, tf.constant([7]))
    )


failed = 0
for run in (lambda: repeated(tf.ones([1, 2])), lambda: sampled(tf.constant(1))):
    try:
        run()
    except ValueError:
        failed += 1
