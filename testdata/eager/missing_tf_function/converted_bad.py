# `tf.constant` of an argument takes no traced tensor: only the model inside can be wrapped.
import numpy as np
import tensorflow as tf

tf.random.set_seed(5)
critic = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(4)])


def best(row):
    x = tf.constant([row], tf.float32)
    chances = tf.nn.softmax(critic(x))
    return tf.argmax(chances, axis=-1)[0]


def worst(row):
    x = tf.convert_to_tensor(row, dtype=tf.float32)
    chances = tf.nn.softmax(critic(x[None]))
    return tf.argmin(chances, axis=-1)[0]


def read(source):
    return source[0], source[1:]


source = [[0.1 * i, 0.2, -0.1 * i] for i in range(40)]
found = 0
while source:
    row, source = read(source)
    row = np.asarray(row)
    found += int(best(row)) - int(worst(row))
print(found)
