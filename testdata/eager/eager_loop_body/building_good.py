# A loop that builds a functional model computes nothing on each turn: symbolic inputs are silent.
import tensorflow as tf

inputs = tf.keras.Input((16, 16, 3))
x = inputs
for filters in (8, 16, 32, 64, 128):
    x = tf.keras.layers.Conv2D(filters, 3, padding="same")(x)
    x = tf.keras.layers.BatchNormalization()(x)
    x = tf.nn.relu(x) if filters % 3 else tf.keras.layers.ReLU()(x)
model = tf.keras.Model(inputs, x)
