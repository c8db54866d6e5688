# Switched on by a value that counts, with a traced function to act on.
import tensorflow as tf

tf.config.optimizer.set_jit(True)


@tf.function
def energy(x):
    return tf.reduce_sum(tf.square(tf.sin(x)))


value = energy(tf.constant([0.5, 1.0]))
tf.config.optimizer.set_jit(False)
