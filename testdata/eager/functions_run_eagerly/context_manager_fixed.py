# The switch is no context manager, so `with` raises: the fix keeps the block and drops it.
# intent: correcting
import tensorflow as tf


@tf.function
def normalize(x):
    return (x - tf.reduce_mean(x)) / tf.math.reduce_std(x)


def compare(batches):
    results = []
    # Step through it.
    for batch in batches:
        # One batch at a time.
        results.append(normalize(batch))
    return results


outputs = compare([tf.range(4.0), tf.range(8.0)])
