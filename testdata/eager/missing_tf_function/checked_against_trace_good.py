# The eager call in the loop is the reference to which the traced one is compared.
import numpy as np
import tensorflow as tf

weights = tf.Variable(tf.reshape(tf.linspace(-0.5, 0.5, 3), [3, 1]))


def energy(x):
    y = tf.tanh(x @ weights)
    y = tf.square(y - 0.5) + 0.1 * tf.abs(y)
    return tf.reduce_mean(y) + tf.reduce_max(y)


compiled_energy = tf.function(energy)

for seed in range(10):
    x = tf.random.stateless_normal([8, 3], [seed, 1])
    np.testing.assert_allclose(energy(x).numpy(), compiled_energy(x).numpy(), rtol=1e-5)
