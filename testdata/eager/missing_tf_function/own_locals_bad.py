"""Two functions call their networks the same, and each has one of its own."""

import tensorflow as tf

data = tf.data.Dataset.from_tensor_slices(tf.reshape(tf.range(96.0), [32, 3]) / 96.0).batch(4)


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])


def train_step(model, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - 1.0))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def pretrain():
    model = build()
    optimizer = tf.keras.optimizers.Adam(0.01)
    for x in data:
        loss = train_step(model, optimizer, x)
    return loss


def compare():
    model = build()
    optimizer = tf.keras.optimizers.SGD(0.01)
    for x in data:
        loss = train_step(model, optimizer, -x)
    return loss


losses = [pretrain(), compare()]
print([float(loss) for loss in losses])
