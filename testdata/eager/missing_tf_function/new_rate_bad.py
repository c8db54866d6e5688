"""The optimizer stays outside of what is traced, but the networks are two all the same."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def train_step(model, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(model):
    for _ in range(3):
        for x in data:
            loss = train_step(model, x)
    return loss


optimizer = tf.keras.optimizers.SGD(0.01)
first = train(build())
optimizer = tf.keras.optimizers.SGD(0.1)
second = train(build())
print(float(first), float(second))
