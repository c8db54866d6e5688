# The old names of axes and of `keepdims`, which mean the same.
# intent: correcting
import tensorflow as tf

logits = tf.constant([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0]])


def standardise(x):
    mean = tf.reduce_mean(x, axis=[1], keepdims=True)
    return x - mean


centred = standardise(logits)
probabilities = tf.nn.softmax(logits, axis=0)
best = tf.argmax(logits, axis=1)
column = tf.expand_dims(best, axis=-1)
