"""A second schedule given to the optimizer in the midst of the training."""

import tensorflow as tf

keras = tf.keras
x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
y = tf.constant([[1.0], [2.0], [3.0]])


def network():
    return keras.Sequential(
        [
            keras.layers.Input((2,)),
            keras.layers.Dense(4, "tanh", name="hidden"),
            keras.layers.Dense(1),
        ]
    )


def rescheduled(turns):
    model = network()
    optimizer = keras.optimizers.SGD(keras.optimizers.schedules.ExponentialDecay(0.1, 1, 0.9))

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        return loss, gradients

    for turn in range(turns):
        loss, gradients = train_step()
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if turn == 5:
            optimizer.learning_rate = keras.optimizers.schedules.ExponentialDecay(0.5, 1, 0.5)
    return loss


final = rescheduled(12)
