# Eagerly `write` changes the array; methods of the same name on other objects are none of it.
import tensorflow as tf


def squares(x):
    # Eagerly, `write` changes the array.
    found = tf.TensorArray(tf.float32, size=3)
    for i in range(3):
        found.write(i, x[i] * x[i])
    return found.stack()


class Recorder:
    def __init__(self):
        self.lines = []

    def write(self, line):
        self.lines.append(line)

    def reshape(self, size):
        self.lines = self.lines[:size]


@tf.function
def recorded(recorder, x):
    recorder.write("tracing")
    recorder.reshape(1)
    return tf.square(x)


def fits(x, shape):
    try:
        tf.reshape(x, shape)
    except (ValueError, tf.errors.InvalidArgumentError):
        return False
    return True


x = tf.constant([1.0, 2.0, 3.0])
tf.cast(x, tf.int32)
results = squares(x), recorded(Recorder(), x), fits(x, [2])
