# What is picked once, before the loop, is no step of it.
import tensorflow as tf


def kept_rows(x, labels):
    kept = tf.boolean_mask(x, labels > 0.0)
    scale = tf.fill([kept.shape[0]], 2.0)
    return kept * tf.expand_dims(scale, 1)


def batches(x, labels):
    return tf.data.Dataset.from_tensor_slices(kept_rows(x, labels)).batch(8)


@tf.function
def mean_of(x):
    return tf.reduce_mean(tf.square(x) + tf.sqrt(tf.abs(x)))


total = tf.zeros([])
for batch in batches(tf.ones([80, 4]), tf.ones([80])):
    total += mean_of(batch)
print(float(total))
