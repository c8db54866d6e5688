# What the class keeps for all tells whose turn it is: nobody's, while functions are traced.
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    active = None

    def __init__(self):
        super().__init__()
        self.seen = 0.0

    def call(self, rows):
        if Scale.active == self:
            self.seen += tf.reduce_mean(tf.square(rows))
        return rows * 2.0


scale = Scale()
tf.config.run_functions_eagerly(True)
Scale.active = scale
scale(tf.ones([2, 3]))
Scale.active = None
tf.config.run_functions_eagerly(False)


@tf.function
def scaled(rows):
    return scale(rows)


out = scaled(tf.ones([2, 3]))
seen = float(scale.seen)
