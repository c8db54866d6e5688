# The step is traced unless an option says otherwise: what runs in the loop is not known here.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--eager", action="store_true", help="run the loop in Python, to debug it")
options = parser.parse_args([])

weights = tf.Variable([[0.5], [0.25]])
optimizer = tf.keras.optimizers.SGD(0.1)
optimizer.build([weights])


def fit(batches):
    loss = tf.constant(0.0)
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ weights - y))
        gradients = tape.gradient(loss, [weights])
        optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


if not options.eager:
    fit = tf.function(fit)

inputs = tf.random.stateless_normal([16, 2], [0, 1])
batches = tf.data.Dataset.from_tensor_slices((inputs, inputs[:, :1])).batch(4)
losses = [float(fit(batches)) for _ in range(3)]
