# intent: correcting
# A switch that every maker of the object leaves as it is does not keep a trace away.

import tensorflow as tf


class Scaler:
    def __init__(self, mean_only=False):
        self.mean_only = mean_only
        self.count = tf.Variable(0.0)
        self.spread = tf.Variable(1.0)

    @tf.function
    def observe(self, x):
        self.count.assign_add(1.0)
        if not self.mean_only:
            self.spread = tf.reduce_mean(tf.square(x)) / self.count

    def scaled(self, x):
        return x / self.spread


scaler = Scaler()
scaler.observe(tf.constant([1.0, 2.0]))
result = scaler.scaled(tf.constant([4.0]))
