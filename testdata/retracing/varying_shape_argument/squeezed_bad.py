# A squeeze that names no axis has no rank where a trace leaves a size open, and what comes after it may ask.
import tensorflow as tf

series = tf.reshape(tf.sin(tf.range(40.0)), [40])


@tf.function
def chances(x):
    return tf.reduce_sum(tf.nn.softmax(tf.squeeze(x[:, None]), axis=0))


for length in range(2, 21):
    print(float(chances(series[:length])))
