# Mechanism: each object has traces of its own, and what is set before the first call is read by it.
import tensorflow as tf


class Scaled(tf.Module):
    def __init__(self):
        super().__init__()
        self.scale = 1.0

    def set_scale(self, scale):
        self.scale = scale

    @tf.function
    def run(self, x):
        return x * self.scale


module, other = Scaled(), Scaled()
module.set_scale(2.0)
print(module.run(tf.ones([2])))
other.set_scale(3.0)
print(module.run(tf.ones([2])))
print(other.run(tf.ones([2])))
