# Two arguments that vary in different dimensions: the trace for all sizes knows neither.
import tensorflow as tf

series = tf.sin(tf.range(40.0))
wide = tf.reshape(tf.cos(tf.range(80.0)), [2, 40])


@tf.function
def step(a, b):
    return tf.reduce_sum(a) * b.shape[1]


for n in range(2, 20):
    print(float(step(series[:n], wide[:, :n])))
