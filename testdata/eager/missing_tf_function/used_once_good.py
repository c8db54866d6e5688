# A function that runs once gains nothing from a trace.
import tensorflow as tf


def initial_loss(model, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    return loss, tape.gradient(loss, model.trainable_variables)


model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
loss, gradients = initial_loss(model, tf.ones((4, 3)), tf.zeros((4, 1)))
