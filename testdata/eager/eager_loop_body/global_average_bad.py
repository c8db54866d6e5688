"""A moving average that the function shares with its module is carried from turn to turn."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


model = build()
optimizer = tf.keras.optimizers.SGD(0.01)
average = tf.constant(0.0)


def train():
    global average
    for x in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        average = 0.9 * average + 0.1 * loss


train()
train()
print(float(average))
