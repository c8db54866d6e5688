# A function that a comprehension or a sum over data runs is as hot as one that a loop runs.
import numpy as np
import tensorflow as tf

w = tf.Variable(tf.ones([4, 2]))
rows = np.linspace(0.0, 1.0, 240, dtype=np.float32).reshape(60, 4)
data = tf.data.Dataset.from_tensor_slices((rows, rows[:, :2])).batch(2)


def score(x, y):
    hidden = tf.nn.relu(x @ w) + 1.0
    scaled = tf.nn.softmax(hidden * 3.0)
    logs = tf.math.log(scaled + 0.001)
    return tf.reduce_mean(tf.square(logs - y))


total = sum(score(x, y) for x, y in data)
