# Layers and models of the project's own that are told by position whether they train: Keras 3 takes tensors there only.
# intent: correcting
import tensorflow as tf


class Encoder(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dropout = tf.keras.layers.Dropout(0.1)
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x, training, mask):
        x = self.dropout(self.dense(x), training=training)
        return x if mask is None else x * mask


class Transformer(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.head = tf.keras.layers.Dense(2)

    def call(self, x, mask=None, training=False):
        return self.head(self.encoder(x, training=False, mask=mask))


transformer = Transformer()
print(transformer(tf.ones([2, 3]), mask=None, training=True).shape)
print(Encoder()(tf.ones([2, 3]), training=True, mask=tf.ones([2, 4])).shape)
