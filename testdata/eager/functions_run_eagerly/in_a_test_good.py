# A test, and a function that nobody calls, may switch tracing off.
import tensorflow as tf


def half(x):
    return x / 2.0


class HalfTest(tf.test.TestCase):
    def test_eagerly(self):
        tf.config.run_functions_eagerly(True)
        self.assertAllClose(half(tf.constant(4.0)), 2.0)


def debug_mode():
    tf.config.run_functions_eagerly(True)
