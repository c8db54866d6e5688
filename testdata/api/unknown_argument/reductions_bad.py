# The old names of axes and of `keepdims`, which mean the same.
# intent: correcting
import tensorflow as tf

logits = tf.constant([[2.0, 1.0, 0.5], [0.0, 3.0, 1.0]])


def standardise(x):
    mean = tf.reduce_mean(x, reduction_indices=[1], keep_dims=True)
    return x - mean


centred = standardise(logits)
probabilities = tf.nn.softmax(logits, dim=0)
best = tf.argmax(logits, dimension=1)
column = tf.expand_dims(best, dim=-1)
