# What one import takes of TensorFlow's copy of Keras 2 changes no class that derives from tf.keras.
# intent: correcting
import tensorflow as tf
from tensorflow.python.keras import activations


class Embedding(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.table = self.add_weight(name="table", shape=[10, 4], initializer="zeros")

    def call(self, x):
        return activations.relu(tf.gather(self.table, x))


embedded = Embedding()(tf.constant([1, 2]))
