"""A function that nothing here calls runs a model on the parts of what it is given.

Whoever uses it may well do so in a traced step: it shows nothing, and the parts have no labels.
"""

import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])


def encode_all(images):
    found = []
    for image in images:
        found.append(encoder(image))
    return tf.concat(found, axis=0)


def unroll(state, turns):
    for _ in range(turns):
        state = tf.concat([encoder(state), state[:, 2:]], axis=1)
    return state
