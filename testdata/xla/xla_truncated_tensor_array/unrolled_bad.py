# A loop of Python writes one member on each of its turns: their number is the size.
# intent: correcting
import tensorflow as tf

STEPS = 4


class Sampler(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(0.5)

    def trace(self, start, steps=STEPS):
        kept = tf.TensorArray(
            tf.float32,
            0,  # grows
            dynamic_size=True,
            element_shape=[],
        )
        value = start
        for step in range(steps):
            value = tf.tanh(self.weight * value + 1.0)
            kept = kept.write(step, value)
        return kept.stack()

    @tf.function(jit_compile=True)
    def __call__(self, start):
        return self.trace(start)


sampler = Sampler()
values = sampler(tf.constant(0.25))
