# Two letters swapped, one left out or one more: the only name near by is what was meant.
# intent: correcting
import tensorflow as tf


def spread(x, shape):
    return tf.boradcast_to(x, shape)


def shapes(x):
    kept = tf.conncat([x, x], axis=0)
    return tf.linalg.band_prt(kept, 0, -1)


def other(x):  # two names near by, and a digit: no fix
    return tf.image.flip_up_dwn(x) + tf.keras.layers.Conv4D(3, 2)(x)


x = tf.reshape(tf.range(6.0), [2, 3])
wide = spread(x, [4, 2, 3])
band = shapes(x)
