"""A plain setting of the optimizer that the loop changes."""

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


def clipped(turns):
    model = network()
    optimizer = keras.optimizers.SGD(0.5, clipnorm=1.0)

    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        return loss, gradients

    for _ in range(turns):
        loss, gradients = train_step()
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        optimizer.clipnorm *= 0.5
    return loss


final = clipped(12)
