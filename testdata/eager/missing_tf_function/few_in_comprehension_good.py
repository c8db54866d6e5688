# The comprehension asks for the two parts of the data that there are, and never turns more often.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2, activation="tanh")])


def score(x, y):
    difference = tf.square(model(x, training=False) - y)
    worst = tf.reduce_max(tf.reduce_mean(difference, axis=1))
    return tf.sqrt(tf.reduce_mean(difference)) + 0.1 * worst


x = tf.random.stateless_uniform([40, 4], [1, 2])
y = tf.random.stateless_uniform([40, 2], [3, 4])
parts = [(x[:30], y[:30]), (x[30:], y[30:])]
training, validation = [float(score(rows, labels)) for rows, labels in parts]
