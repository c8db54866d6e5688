# A layer inside of the model reads the number of rows in Python, so that no signature may leave it open: each size gets a trace.
import tensorflow as tf


class Spread(tf.keras.layers.Layer):
    def call(self, values):
        return values - tf.zeros([values.shape[0], 1]) - tf.reduce_mean(values)


network = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones"), Spread()])
optimizer = tf.keras.optimizers.SGD(0.05)
rows = tf.reshape(tf.linspace(-1.0, 1.0, 42), [14, 3])
data = tf.data.Dataset.from_tensor_slices((rows, tf.reduce_sum(rows, axis=1, keepdims=True))).batch(4)


def learn(rows, sums):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(network(rows) - sums))
    gradients = tape.gradient(error, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    return error


for _ in range(6):
    for rows, sums in data:
        error = learn(rows, sums)
