# Mechanism: a method that sets what a trace has read changes nothing for the calls after it.
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


module = Scaled()
print(module.run(tf.ones([2])))
module.set_scale(3.0)
print(module.run(tf.ones([2])))
