"""The step calls a model whose `call` asks a tensor: AutoGraph would convert it in the step itself, and
Keras 3 keeps it from doing so in what it runs."""

import tensorflow as tf


class Gated(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2, kernel_initializer="ones")

    def call(self, x):
        hidden = self.dense(x)
        if tf.reduce_mean(hidden) > 1.0:
            hidden = hidden * 0.5
        return hidden


model = Gated()
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def update_step(gradients):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def step(x, y):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(error, model.trainable_variables)
    update_step(gradients)
    return error


x, y = tf.ones([4, 3]), tf.ones([4, 2])
for _ in range(20):
    error = step(x, y)
result = [variable.numpy() for variable in model.variables]
