# Numbers that a method only multiplies and adds become tensors where they are passed.
import tensorflow as tf


class Annealer:
    def __init__(self):
        self.energy = tf.Variable(tf.ones([3], tf.float32))

    @tf.function
    def cool(self, temperature, floor=0.0):
        self.energy.assign(temperature * self.energy + floor)
        return self.energy * 1.0

    def run(self, steps):
        for step in range(steps):
            energy = self.cool(tf.constant(1.0 - step / steps, tf.float32))
            energy = self.cool(
                temperature=0.99, floor=tf.constant(0.01 * step, tf.float32)
            )
        return energy


energy = Annealer().run(10)
