# An option chooses the layer, and nobody keeps it: whoever takes the option has new weights each time.
import tensorflow as tf


class Routing(tf.keras.layers.Layer):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def call(self, x):
        if self.kind == 0:
            return tf.tile(x, [1, 2])
        elif self.kind == 1:
            return tf.keras.layers.Dense(8)(x)
        return x


first = Routing(1)(tf.ones([2, 4]))
