# NumPy on static shapes, constants and captured values needs no value of a traced tensor.
import numpy as np
import tensorflow as tf

table = np.linspace(0.0, 1.0, 5).astype(np.float32)
scale = tf.constant([1.0, 2.0])
names = ["low", "high"]
mean_scale = np.mean(tf.square(scale))


@tf.function
def flatten(x):
    x = tf.square(x)
    size = np.prod(x.shape)
    if np.ndim(x) != 2 or np.shape(x) == ():
        raise ValueError("two dimensions are needed")
    return tf.reshape(x, [size]) * np.pi * np.float32(0.5)


@tf.function
def scaled(x):
    # The trace captures `scale`, which has a value.
    total = np.sum(scale)
    return x * float(total) * table[0] + table[:2] * np.sqrt(mean_scale)


@tf.function
def chosen(x):
    picked = [tf.sin, tf.cos][len(names) - 1](x)
    for i, name in enumerate(names):
        picked += table[i] * float(len(names[i]) == len(name))
    return picked


flat = flatten(tf.ones([2, 3]))
result = scaled(tf.ones([2]))
picked = chosen(tf.ones([2]))
mean = np.mean(scaled(tf.ones([2])))
