# `gather`, and the variable of a loop in the graph, need no constant.
import tensorflow as tf


@tf.function(jit_compile=True)
def frame_of(video, number):
    return tf.reduce_mean(tf.gather(video, number)) + tf.cast(number, tf.float32)


@tf.function(jit_compile=True)
def column_sums(rows):
    total = tf.zeros([3])
    for i in tf.range(tf.shape(rows)[0]):
        total += rows[i]
    return total


@tf.function(jit_compile=True)
def repeated(x, turns):
    i = tf.constant(0)
    while i < turns:
        x = x * 1.5
        i += 1
    return x


video = tf.reshape(tf.range(48.0), [8, 2, 3])
levels = []
for number in range(8):
    levels.append(frame_of(video, tf.constant(number)))
    levels.append(repeated(tf.constant(1.0), tf.constant(number)))
sums = column_sums(video[0])
