"""Several small networks asked in turn, with their votes averaged."""
import numpy as np
import tensorflow as tf

PASSES = 3


def build():
    return tf.keras.Sequential([
        tf.keras.layers.InputLayer(shape=(24,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(8, activation="softmax"),
    ])


members = [build() for _ in range(3)]
rows = np.random.default_rng(11).normal(size=(256, 24)).astype(np.float32)
labels = np.random.default_rng(12).integers(8, size=256)
batches = tf.data.Dataset.from_tensor_slices((rows, labels)).batch(32)
top = tf.keras.metrics.SparseTopKCategoricalAccuracy(k=3)


def vote(x):
    answers = [member(x, training=False) for member in members]
    return tf.reduce_mean(tf.stack(answers), axis=0)


@tf.function
def judge(x, y):
    top.update_state(y, vote(x))


for pass_ in range(PASSES):
    top.reset_state()
    for x, y in batches:
        judge(x, y)
    print(float(top.result()))
