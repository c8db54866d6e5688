# A test shows that the traced function fails, and uses it eagerly elsewhere: only the calls that trace it count.
import unittest

import tensorflow as tf


class FlowTest(unittest.TestCase):
    def test_conversion(self):
        def fold(x):
            if x > 0:
                return x * x
            return -x

        with self.assertRaises(Exception):
            plain = tf.function(fold, autograph=False)
            plain(tf.constant(2.0))

        for x in tf.range(-3.0, 3.0):
            self.assertGreaterEqual(float(fold(x)), 0.0)


outcome = unittest.TextTestRunner().run(unittest.defaultTestLoader.loadTestsFromTestCase(FlowTest))
passed = outcome.wasSuccessful()
print(passed)
