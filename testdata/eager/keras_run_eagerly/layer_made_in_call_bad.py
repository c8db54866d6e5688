# A layer that makes another one on each call relies on running eagerly: its second trace would make variables.
import tensorflow as tf


class Normalized(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)

    def call(self, inputs):
        return tf.keras.layers.BatchNormalization()(self.dense(inputs))


tf.keras.utils.set_random_seed(5)
model = tf.keras.Sequential([tf.keras.Input((2,)), Normalized(4), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", run_eagerly=True)
model.fit(tf.ones([4, 2]), tf.ones([4, 1]), verbose=0)
