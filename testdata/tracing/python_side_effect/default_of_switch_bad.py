# intent: correcting
# A switch that is off unless somebody asks for it: what runs while it is off runs in the trace.

import tensorflow as tf


class Normalizer:
    def __init__(self, mean_only=False, debug=False):
        self.mean_only = mean_only
        self.debug = debug
        self.count = tf.Variable(0.0)
        self.spread = tf.Variable(1.0)

    @tf.function
    def observe(self, x):
        self.count.assign_add(1.0)
        if not self.mean_only:
            self.spread = tf.reduce_mean(tf.square(x)) / self.count
        if self.debug:
            print(x)

    def scaled(self, x):
        return x / self.spread


def demonstrate(make):
    scaler = make()
    scaler.observe(tf.constant([1.0, 2.0]))
    return scaler.scaled(tf.constant([4.0]))


result = demonstrate(Normalizer)
