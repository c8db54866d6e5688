# What a command line says is of Python: sizes that it tells are asserted on, and compared, in a trace as
# outside.
import argparse

import tensorflow as tf


def parts_of(size, number):
    ends = [0]
    for part in [size // number] * number:
        ends.append(ends[-1] + part)
    assert ends[-1] == size
    return ends


class Network(tf.keras.Model):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.first, self.last = tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)

    def call(self, x):
        if x.shape[-1] != self.width:
            x = self.first(x)
        return self.last(x)


def train(model, optimizer, rows, settings):
    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            y = model(x)
            ends = parts_of(settings["batch_size"], 2)
            loss = tf.reduce_mean(y[: ends[1]]) - tf.reduce_mean(tf.square(y[ends[1] :]))
        weights = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))

    for x in rows:
        train_step(x)


parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=16)
parser.add_argument("--width", type=int, default=8)
args = parser.parse_args([])
data = tf.data.Dataset.from_tensor_slices(tf.random.stateless_normal([64, 4], [1, 2]))
network = Network(args.width)
train(network, tf.keras.optimizers.SGD(0.01), data.batch(args.batch_size), vars(args))
print(float(tf.reduce_sum(network(tf.ones([1, 4])))))
