# Of plain operations nothing is said where more than a few places keep them from being traced.
import numpy as np
import tensorflow as tf

seen = []


def describe(rows):
    values = tf.square(rows)
    mean = tf.reduce_mean(values, axis=0)
    seen.append(float(tf.reduce_sum(mean)))
    spread = tf.math.reduce_std(values, axis=0)
    seen.append(float(tf.reduce_sum(spread)))
    low = tf.reduce_min(tf.abs(rows), axis=0)
    seen.append(float(tf.reduce_sum(low)))
    high = tf.reduce_max(tf.abs(rows), axis=0)
    seen.append(float(tf.reduce_sum(high)))
    third = tf.reduce_mean(tf.pow(tf.abs(rows), 3.0), axis=0) - tf.pow(mean, 1.5)
    fourth = tf.reduce_mean(tf.pow(rows, 4.0), axis=0) / tf.maximum(tf.square(mean), 0.01)
    seen.append(float(tf.reduce_max(third) + tf.reduce_max(fourth)))
    return np.array([mean.numpy(), spread.numpy(), low.numpy(), high.numpy()])


for number in range(40):
    table = describe(tf.reshape(tf.cos(tf.range(12.0) + number), (6, 2)))
