"""NumPy works on static shapes only, also in helpers: they are Python numbers while tracing, so that no
NumPy function meets a tensor."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)


def flat(x):
    sizes = x.shape.as_list()
    return tf.reshape(x, [-1, int(np.prod(sizes[1:]))])


def scale(shape):
    return 1.0 / np.sqrt(np.prod(shape[1:]))


def border(x):
    return np.ones(x.shape[1:], dtype=np.float32)


def step(x, y):
    with tf.GradientTape() as tape:
        guess = model(flat(x * border(x))) * scale(x.shape)
        error = tf.reduce_mean(tf.square(guess - y))
    gradients = tape.gradient(error, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return error


x = tf.reshape(tf.linspace(-1.0, 1.0, 24), [4, 2, 3])
for _ in range(20):
    error = step(x, tf.ones([4, 3]))
result = [variable.numpy() for variable in model.variables]
last = float(error)
