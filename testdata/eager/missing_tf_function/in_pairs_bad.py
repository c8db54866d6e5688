"""The step is given a network and its optimizer as one pair, and then another pair."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def train_step(pair, x):
    model, optimizer = pair
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(pair):
    for x in data:
        loss = train_step(pair, x)
    return loss


first = train((build(), tf.keras.optimizers.Adam(0.01)))
second = train((build(), tf.keras.optimizers.Adam(0.1)))
print(float(first), float(second))
