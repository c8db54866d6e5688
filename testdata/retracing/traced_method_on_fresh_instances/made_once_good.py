# Instances that last, or are made once, and methods that nothing traces.
import tensorflow as tf


class Shift:
    def __init__(self, by):
        self.by = tf.constant(by)

    @tf.function
    def apply(self, x):
        return tf.sin(x) + self.by

    def plain(self, x):
        return x + self.by


shift = Shift(0.1)
kept = None
x = tf.ones([4])
for step in range(6):
    x = shift.apply(x)
    x = Shift(0.2).plain(x)
    if kept is None:
        kept = Shift(0.3)
    x = kept.apply(x)
