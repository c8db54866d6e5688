# Whoever wants a trace for each rank makes them.
import tensorflow as tf

series = tf.random.stateless_normal([40], seed=[1, 2])
table = tf.reshape(series, [20, 2])


def shares(window):
    scaled = tf.tanh(window) * 2.0 + tf.square(window)
    scaled = tf.sigmoid(scaled) - tf.exp(-tf.square(scaled)) * 0.5
    return tf.nn.softmax(scaled, axis=0)


of_vectors = tf.function(shares, reduce_retracing=True)
of_matrices = tf.function(shares, reduce_retracing=True)
found = []
for size in range(2, 12):
    found.append(tf.reduce_max(of_vectors(series[:size])))
    found.append(tf.reduce_max(of_matrices(table[:size])))
found = tf.stack(found)
