"""The branch is one call away, and the loop unrolls: neither stands for a tensor as it is."""

import tensorflow as tf


def weight(step, total):
    return 1.0 if step > total // 2 else step / total


@tf.function
def blend(a, b, step, order=1):
    parts = [a]
    for power in range(order):
        parts.append(b ** float(power))
    return weight(step, 30) * tf.add_n(parts)


a, b = tf.ones([3]), tf.fill([3], 0.5)
for step in range(30):
    blend(a, b, step)
order = 0
while order < 9:
    order += 1
    blend(a, b, 0, order)
