# Calls within calls are replaced as one, with comments and the dtype of numbers kept.
# intent: correcting
# types: loose
import math

import tensorflow as tf


@tf.function
def limited(x):
    total = tf.reduce_sum(tf.cast(x, tf.float32))
    share = max(0.0, min(1.0, total))
    low = min(
        max(total, -1.0),  # not below
        0.5,
    )
    if bool(total > 2.0):
        share = share + 1.0
    is_large = bool(total > 1.0)
    return share, low, is_large, math.cos(  # angle
        total * math.pi
    )


both = limited(tf.constant([0.5, 0.25])), limited(tf.constant([3.0, 0.5]))
