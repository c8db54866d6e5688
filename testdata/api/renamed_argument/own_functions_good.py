# The project puts functions of its own in the place of TensorFlow's: they take what they take.
import tensorflow as tf


def normalized(values, dim=0):
    return values


tf.nn.l2_normalize = normalized
for name in ("softmax", "log_softmax"):
    setattr(tf.nn, name, normalized)
print(tf.nn.l2_normalize(1.0, dim=0))
print(tf.nn.softmax(1.0, dim=0))
