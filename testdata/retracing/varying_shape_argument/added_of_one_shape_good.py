# A list that grows by tensors of one shape makes no new trace.
import tensorflow as tf

series = tf.sin(tf.range(40.0))
PARTS = [series]


def add(part):
    PARTS.append(part)


@tf.function
def total(w):
    return tf.reduce_sum(tf.square(w) - w)


add(series * 2.0)
for data in PARTS:
    for scale in tf.range(2.0, 20.0):
        print(float(total(data * scale)))
