"""A layer that gets another activation in the midst of the training."""

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


def switched(turns):
    model = network()
    optimizer = keras.optimizers.SGD(0.1)
    for turn in range(turns):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        if turn == 5:
            model.get_layer("hidden").activation = tf.nn.relu
    return loss


final = switched(12)
