"""Models that are taken from a list one after the other."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def build():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


def train_step(model, optimizer, features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


losses = []
stack = [(build(), tf.keras.optimizers.Adam(0.1 * k)) for k in (1, 2, 3)]
while stack:
    model, optimizer = stack[-1]
    traced_train_step = tf.function(train_step)
    for features, labels in data.repeat(2):
        loss = traced_train_step(model, optimizer, features, labels)
    losses.append(float(loss))
    stack = stack[:-1]
