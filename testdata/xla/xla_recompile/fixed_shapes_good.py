# Padded, windowed and dropped to one shape: one compilation serves all calls.
import tensorflow as tf

LONGEST = 6


@tf.function(jit_compile=True)
def mean_of(values, length):
    mask = tf.sequence_mask(length, LONGEST, dtype=tf.float32)
    return tf.reduce_sum(values * mask) / tf.cast(length, tf.float32)


@tf.function(jit_compile=True)
def rows_of(x):
    count = tf.shape(x)[0]
    order = tf.range(count)
    return tf.reshape(x, [count, -1]) + tf.cast(order[:, None], tf.float32), tf.zeros([count])


@tf.function(jit_compile=True)
def total(batch):
    return tf.reduce_sum(batch)


means = []
for length in range(1, LONGEST + 1):
    padded = tf.pad(tf.ones([length]), [[0, LONGEST - length]])
    means.append(mean_of(padded, tf.constant(length)))

windows = []
signal = tf.linspace(0.0, 1.0, 12)
for start in range(0, 12, 4):
    windows.append(total(signal[start : start + 4]))

dataset = tf.data.Dataset.from_tensor_slices(tf.ones([20, 2])).batch(8, drop_remainder=True)
for batch in dataset:
    windows.append(total(batch))
shaped, zeros = rows_of(tf.ones([3, 2]))
