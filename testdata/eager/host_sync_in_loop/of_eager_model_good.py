# What the turns wait for is a model that runs op by op, which another rule wants wrapped: one place, one report.
import numpy as np
import tensorflow as tf

rng = np.random.RandomState(0)
network = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
rows = rng.rand(40, 3).astype("float32")
best = []
for index in range(len(rows)):
    best.append(int(network(rows[index : index + 1]).numpy().argmax()))
print(len(best))
