"""Calls that are there to fail, or to give None."""

import contextlib
import unittest

import tensorflow as tf

x = tf.Variable(3.0)
constant = tf.constant(2.0)


def twice():
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x), tape.gradient(y, x)


try:
    twice()
except RuntimeError:
    print("used up")

with tf.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
with contextlib.suppress(RuntimeError):
    tape.gradient(y, x)
    print("not reached")

with tf.GradientTape() as tape:
    y = constant * constant
gradient = tape.gradient(y, constant)
if gradient is None:
    print("not watched")

with tf.GradientTape() as tape:
    y = constant * x
gradients = tape.gradient(y, [constant, x])
kept = [g for g in gradients if g is not None]


class TapeTest(unittest.TestCase):
    def test_second_call(self):
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        with self.assertRaises(RuntimeError):
            tape.gradient(y, x)

    def test_constant(self):
        with tf.GradientTape() as tape:
            y = constant * constant
        self.assertIsNone(tape.gradient(y, constant))


suite = unittest.defaultTestLoader.loadTestsFromTestCase(TapeTest)
passed = unittest.TextTestRunner().run(suite).wasSuccessful()
print(len(kept), passed)
