"""Variables of Keras 3 as arguments: a trace would get their values, which nothing can be assigned to."""

import tensorflow as tf


def soft_update(target_weights, weights, tau):
    for target, weight in zip(target_weights, weights):
        target.assign(tau * weight + (1.0 - tau) * target)


def step(model, optimizer, batch, variables):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch)))
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


def train(batches):
    online = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    target = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.SGD(0.1)
    for batch in batches:
        step(online, optimizer, batch, online.trainable_variables)
        soft_update(target.variables, online.variables, 0.01)
    return target


train(tf.data.Dataset.from_tensors(tf.ones([8, 4])).repeat(40))
