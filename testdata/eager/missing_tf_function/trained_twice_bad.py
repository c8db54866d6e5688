"""One function trains two networks with the step; each run of it makes a trace of its own."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(48.0), [16, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def train_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(model, optimizer):
    for _ in range(4):
        for x in data:
            loss = train_step(model, optimizer, x)
    return loss


network = build()
optimizer = tf.keras.optimizers.Adam(0.01)
first = train(network, optimizer)
network = build()
optimizer = tf.keras.optimizers.Adam(0.1)
second = train(network, optimizer)
print(float(first), float(second))
