# A squeeze that names no axis has no rank where a trace leaves a size open, and what comes after it may ask.
import tensorflow as tf

series = tf.reshape(tf.sin(tf.range(40.0)), [40])


@tf.function
def chances(x):
    return tf.reduce_sum(tf.nn.softmax(tf.squeeze(x[:, None]), axis=0))


@tf.function
def named(x):
    return tf.reduce_sum(tf.nn.softmax(tf.squeeze(x[:, None], name="logits"), axis=0))


@tf.function
def all_of_them(x):
    return tf.reduce_sum(tf.nn.softmax(tf.squeeze(x[:, None], axis=None), axis=0))


for length in range(2, 21):
    print(float(chances(series[:length])))
    print(float(named(series[:length])), float(all_of_them(series[:length])))
