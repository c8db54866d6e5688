"""A loop that only puts results away makes the loop around it no loop over epochs: that one turns the step."""

import tensorflow as tf

NAMES = ["total", "squares", "sizes"]
model = tf.keras.Sequential([tf.keras.Input([8]), tf.keras.layers.Dense(8)])


def validate(x):
    y = model(x)
    squares = tf.reduce_mean(tf.square(y - x))
    sizes = tf.reduce_mean(tf.abs(y))
    return squares + 0.1 * sizes, squares, sizes


def run(batches):
    history = {name: 0.0 for name in NAMES}
    for x in batches:
        losses = validate(x)
        for name, loss in zip(NAMES, losses):
            history[name] += loss
    return history


history = run(tf.data.Dataset.from_tensors(tf.ones([4, 8])).repeat(60))
print(sorted(history))
