# A model with code of its own has no symbolic outputs that anybody knows of.
import tensorflow as tf


class Scores(tf.keras.Model):
    """Keeps what it gave last."""

    outputs = ()

    def call(self, inputs):
        return 2.0 * inputs

    def last(self):
        return [tf.nn.softmax(output) for output in self.outputs]


print(Scores().last())
