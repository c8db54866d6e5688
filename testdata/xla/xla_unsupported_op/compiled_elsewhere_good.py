# The function, or model, is told not to compile: it may print.
import tensorflow as tf


def make_step(compiled):
    @tf.function(jit_compile=compiled)
    def step(x):
        tf.print("x", x)
        return x + 1.0

    return step


class Plain(tf.keras.Model):
    def call(self, inputs):
        tf.print("inputs", tf.shape(inputs))
        return inputs * 2.0


plain = Plain()
plain.compile("sgd", "mse", jit_compile=False)
stepped = make_step(False)(tf.constant(1.0))
doubled = plain(tf.ones([1, 2]))
