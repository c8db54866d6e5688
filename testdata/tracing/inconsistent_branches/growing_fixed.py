# A loop in the graph needs the shape to stay: invariants say which dimension grows.
# intent: correcting
import tensorflow as tf


@tf.function
def doubled(x, n):
    longer = tf.zeros([1, 2])
    other = tf.constant([0.5])
    for _ in tf.range(n):
        tf.autograph.experimental.set_loop_options(
            shape_invariants=[
                (longer, tf.TensorShape([None, 2])), (other, tf.TensorShape([None]))
            ]
        )
        # Both grow at the end.
        longer = tf.concat([longer, x], axis=0)
        other = tf.concat([other, [1.0]], 0)
    return longer, other


rows, ones = doubled(tf.constant([[1.0, 2.0]]), tf.constant(3))
