# A loop left early, or a turn skipped, writes at the array's own size, not at the index.
# intent: correcting
import tensorflow as tf


@tf.function
def until_large(x, n):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(n):
        row = x * tf.cast(i, tf.float32)
        kept = kept.write(kept.size(), row)
        if tf.reduce_sum(row) > 4.0:
            break
    return kept.stack()


@tf.function
def without_second(x, n):
    kept = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    for i in tf.range(n):
        if tf.equal(i, 1):
            continue
        kept = kept.write(
            kept.size(),
            tf.concat(
                [x, x * tf.cast(i, tf.float32)],
                axis=0,
            )
        )
    return kept.stack()


large = until_large(tf.constant([1.0, 2.0]), tf.constant(6))
others = without_second(tf.constant([1.0, 2.0]), tf.constant(4))
