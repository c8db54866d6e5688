# A gradient taken on some path, under another tape, or in the next turn uses its tape.
import tensorflow as tf

x = tf.Variable(3.0)


def second():
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x**3
        first = inner.gradient(y, x)
    return outer.gradient(first, x)


def several():
    with tf.GradientTape() as one, tf.GradientTape() as other:
        y = x**3
        z = x**2
    return one.gradient(y, x), other.gradient(z, x)


def on_some_path(want):
    with tf.GradientTape() as tape:
        y = x**3
    if want:
        return tape.gradient(y, x)
    return y


def in_the_next_turn():
    tape = None
    for turn in range(3):
        if tape is not None:
            print(tape.gradient(y, x))
        with tf.GradientTape() as tape:
            y = x**3
