# Keras 3 takes the name of a weight by keyword only; Keras 2 took it first.
# intent: correcting
import tensorflow as tf


class Scaled(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.scale = self.add_weight("scale", shape=[input_shape[-1]], initializer="ones")
        prefix = "the"
        self.shift = self.add_weight(
            f"{prefix}_shift",  # where it begins
            (input_shape[-1],),
            initializer=tf.keras.initializers.Constant(0.5),
        )

    def call(self, inputs):
        return inputs * self.scale + self.shift


print(Scaled()(tf.ones([2, 3])))
