# Settings that the loop changes would be frozen by a trace: reported, and nothing is hoisted.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--length", type=int, default=2)
parser.add_argument("--ratio", type=float, default=1.0)
options = parser.parse_args([])
cell = tf.keras.layers.GRUCell(4)
cell.build((None, 3))
weights = cell.trainable_variables
optimizer = tf.keras.optimizers.Adam(0.01)

traced_cell = tf.function(cell, reduce_retracing=True)
for chunk in tf.data.Dataset.from_tensor_slices(tf.random.normal([20, 9, 3])).batch(4):
    error = 0.0
    with tf.GradientTape() as tape:
        state = tf.zeros([4, 4])
        for turn in range(options.length):
            output, state = traced_cell(chunk[:, turn], state)
            error += options.ratio * tf.reduce_mean(tf.square(output))
    optimizer.apply_gradients(zip(tape.gradient(error, weights), weights))
    options.length = min(8, options.length + 1)
    options.ratio *= 0.9
    print(options.length, error.numpy())
