# A size that each turn doubles: few turns, and each brings a shape that needs a trace of its own.
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


def fitting_size(largest):
    rows = 1
    while rows <= largest:
        try:
            with tf.GradientTape() as tape:
                error = tf.reduce_sum(tf.abs(network(tf.ones([rows, 3]))))
            tape.gradient(error, network.trainable_variables)
        except (tf.errors.ResourceExhaustedError, MemoryError):
            break
        rows *= 2
    return rows // 2


size = fitting_size(128)
