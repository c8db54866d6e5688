# A subclass without `__init__`, and a partial, take what their class takes.
# intent: correcting
import functools

import tensorflow as tf


class Slow(tf.keras.optimizers.SGD):
    def describe(self):
        return f"{self.name} is slow"


Fast = functools.partial(tf.keras.optimizers.SGD, lr=0.5)
w = tf.Variable(4.0)

for optimizer in (Slow(lr=0.001), Fast(momentum=0.5)):
    optimizer.apply_gradients([(tf.constant(2.0), w)])
