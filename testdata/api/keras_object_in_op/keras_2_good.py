# Keras 2 makes a layer of each operation.
# tf-version: 2.15
import tensorflow as tf

inputs = tf.keras.Input((8,))
model = tf.keras.Model(inputs, tf.nn.relu(tf.keras.layers.Dense(4)(inputs)))
