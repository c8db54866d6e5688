# Slices of one length in two arguments make one trace.
import tensorflow as tf

series = tf.sin(tf.range(40.0))
wide = tf.reshape(tf.cos(tf.range(80.0)), [2, 40])


@tf.function
def step(a, b):
    return tf.reduce_sum(a) + tf.reduce_sum(b) / b.shape[0]


for n in range(2, 20):
    print(float(step(series[n : n + 8], wide[:, n : n + 8])))
