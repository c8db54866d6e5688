# Tensors of another shape or dtype, and Python numbers, have a trace of their own, which reads the scale
# as it is then.
import tensorflow as tf


class Scaler:
    def __init__(self, scale):
        self.scale = scale

    @tf.function
    def run(self, x):
        return x * self.scale

    def set_scale(self, scale):
        self.scale = scale


scaler = Scaler(2)
print(scaler.run(tf.constant(3.0)))
print(scaler.run(1))
scaler.set_scale(5)
print(scaler.run(tf.constant([4.0])))
print(scaler.run(tf.constant(4)))
print(scaler.run(2))
