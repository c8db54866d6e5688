# Tensors, arrays and None go by position, and what has its name anywhere; what is handed on may be either.
import numpy as np
import tensorflow as tf


class Attend(tf.keras.layers.Layer):
    def call(self, query, values=None, training=False):
        return query if values is None else query + values


class Decoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.attend = Attend()

    def call(self, x, values=None, training=None):
        return self.attend(x, values, training=training)


decoder = Decoder()
print(decoder(tf.ones([2, 3]), tf.ones([2, 3])), decoder(tf.ones([2, 3]), None), decoder(np.ones([2, 3]), np.ones([2, 3])))
print(decoder(tf.ones([2, 3]), training=True), Attend()(tf.ones([2, 3]), values=1.0))
