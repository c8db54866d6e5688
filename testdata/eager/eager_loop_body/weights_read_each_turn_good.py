# Each turn reads weights from a file, which takes longer than the operations behind it.
import os
import tempfile

import tensorflow as tf

tf.keras.utils.set_random_seed(7)
network = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(2)])
rows = tf.random.stateless_normal([12, 2], [7, 1])
gaps = []
with tempfile.TemporaryDirectory() as folder:
    paths = [os.path.join(folder, f"{number}.weights.h5") for number in range(12)]
    for path in paths:
        network.save_weights(path)
    for number in range(12):
        network.load_weights(paths[number])
        gap = network(rows, training=False) - rows
        gaps.append((float(tf.reduce_mean(tf.square(gap))), float(tf.reduce_max(gap))))
del folder, paths
