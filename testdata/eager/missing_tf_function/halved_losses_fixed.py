"""A helper returns the loss, or half of it, by a test on the loss itself: AutoGraph makes one tensor of
both, and a `for` over a tensor adds up a float of one size, so that nothing keeps the step eager."""

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.02)
shares = tf.constant([0.5, 0.25, 0.25])


def halved(error):
    if error > 1.0:
        return error * 0.5
    return error


def weighed(error, shares):
    total = tf.zeros([])
    for share in shares:
        total = total * share
    return error + total


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        error = weighed(halved(tf.reduce_mean(tf.square(model(x) - y))), shares)
    gradients = tape.gradient(error, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return error


x = tf.reshape(tf.linspace(-1.0, 2.0, 12), [6, 2])
for _ in range(20):
    error = step(x, tf.ones([6, 1]))
result = [variable.numpy() for variable in model.variables]
last = float(error)
