# A method of layers and models that does nothing any more but raise that it is gone.
import tensorflow as tf


class Watched(tf.keras.layers.Layer):
    def call(self, x):
        self.add_metric(tf.reduce_mean(x), name="mean")
        return x * 2.0


inputs = tf.keras.Input([4])
network = tf.keras.Model(inputs, Watched()(inputs))
network.add_metric(1.0, name="one", aggregation="mean")
