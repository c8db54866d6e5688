# A check that the model can learn two batches: two turns, before the real training by Keras.
import argparse

import tensorflow as tf


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=2)
    return parser.parse_args([])


def check(model, optimizer, data):
    losses = []
    for x, y in data.take(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        losses.append(float(loss))
    assert all(loss < 1e6 for loss in losses), losses


def main():
    options = parse()
    tf.keras.utils.set_random_seed(1)
    x = tf.random.stateless_normal([64, 3], [7, 1])
    data = tf.data.Dataset.from_tensor_slices((x, x[:, :1])).batch(16)
    model = tf.keras.Sequential(
        [tf.keras.Input([3]), tf.keras.layers.Dense(options.width), tf.keras.layers.Dense(1)]
    )
    check(model, tf.keras.optimizers.SGD(0.01), data)
    model.compile("adam", "mse", jit_compile=False)
    return model.fit(data, epochs=options.epochs, verbose=0).history["loss"]


losses = main()
