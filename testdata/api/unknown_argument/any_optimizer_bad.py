"""Which optimizer it is a setting says; none of them has ever taken the keyword, whichever it is."""

import tensorflow as tf


def update(setting, gradients, variables):
    optimizer = tf.keras.optimizers.get(setting)
    optimizer.apply_gradients(zip(gradients, variables), asynchronous=True)
