# Whoever asks for no mode gets the eager loop: that `fit` stands beside it helps nobody.
import argparse

import numpy as np
import tensorflow as tf

inputs = np.random.default_rng(0).normal(size=[64, 4]).astype("float32")
data = tf.data.Dataset.from_tensor_slices((inputs, inputs.sum(1, keepdims=True))).batch(8)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, kernel_initializer="ones")])
optimizer = tf.keras.optimizers.SGD(0.01)
loss_of = tf.keras.losses.MeanSquaredError()


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", choices=["eager", "fit"], default="eager")
    return parser.parse_args([])


def main(args):
    if args.mode == "fit":
        model.compile(optimizer, loss_of, jit_compile=False)
        model.fit(data, verbose=0, shuffle=False)
    else:
        @tf.function
        def train_step(x, y):
            with tf.GradientTape() as tape:
                loss = loss_of(y, model(x, training=True))
            found = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(found, model.trainable_variables))

        for x, y in data:
            train_step(x, y)


main(options())
weights = model.get_weights()
