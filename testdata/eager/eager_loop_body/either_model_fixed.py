"""Only one of the calls is run, so that one trace serves."""

import sys

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
inputs = tf.random.stateless_normal((16, 3), (4, 1))


def fit(model, optimizer, steps):
    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(inputs) - 1.0))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss

    for _ in range(steps):
        loss = train_step()
    return float(loss)


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
    if len(sys.argv) > 9:
        loss = fit(model, tf.keras.optimizers.SGD(0.01), 8)
    else:
        loss = fit(model, tf.keras.optimizers.Adam(0.01), 8)
    print(round(loss, 4))


main()
