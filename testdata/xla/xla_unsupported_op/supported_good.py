# What XLA has a kernel for, and a function that only calls a compiled one.
import tensorflow as tf


@tf.function(jit_compile=True)
def attention(query, key, value):
    scores = tf.matmul(query, key, transpose_b=True)
    return tf.matmul(tf.nn.softmax(scores), value)


@tf.function(jit_compile=True)
def upscale(image):
    return tf.image.resize(image, [8, 8], method="bilinear")


@tf.function
def shown(x):
    tf.print(tf.linalg.det(x))
    return upscale(tf.reshape(x, [1, 2, 2, 1]))


attended = attention(tf.eye(2), tf.eye(2), tf.eye(2))
image = shown(tf.eye(2))
