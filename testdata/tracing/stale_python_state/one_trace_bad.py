# Two calls with other numbers in tensors of one dtype and shape are served by one trace.
import tensorflow as tf


class Scaler:
    def __init__(self, scale):
        self.scale = scale

    @tf.function
    def run(self, x):
        return x * self.scale

    def set_scale(self, scale):
        self.scale = scale


scaler = Scaler(2.0)
print(scaler.run(tf.constant(3.0)))
scaler.set_scale(5.0)
print(scaler.run(tf.constant(4.0)))
