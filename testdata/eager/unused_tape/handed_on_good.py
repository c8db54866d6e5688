# Tapes that are kept, returned, closed over or handed to an optimizer may be asked elsewhere.
import tensorflow as tf

w = tf.Variable(2.0)
optimizer = tf.keras.optimizers.SGD(0.1)


class Recorder:
    def run(self, x):
        with tf.GradientTape() as self.tape:
            return x * w


def record(x):
    with tf.GradientTape() as tape:
        y = x * w
    return y, tape


def closed_over(x):
    with tf.GradientTape() as tape:
        y = x * w
    return lambda: tape.gradient(y, w)


def minimise(x):
    with tf.GradientTape() as tape:
        y = x * w
    optimizer.minimize(y, [w], tape=tape)


def variables(x):
    with tf.GradientTape() as tape:
        y = x * w
    return y, tape.watched_variables()


def partly(x):
    with tf.GradientTape() as tape:
        y = x * w
        with tape.stop_recording():
            z = y * 2
    return z


def dropped(x):
    with tf.GradientTape() as tape:
        y = x * w
    del tape
    return y
