# What a test's `setUp` stores is stored before anything is traced.
import tensorflow as tf


class Scaling:
    def __init__(self):
        self.factor = 1.0

    def setUp(self):
        self.factor = 2.0

    @tf.function
    def apply(self, x):
        return x * self.factor


scaling = Scaling()
scaling.setUp()
result = scaling.apply(tf.constant(3.0))
