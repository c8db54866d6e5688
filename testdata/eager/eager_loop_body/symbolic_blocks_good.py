# The operations of the loop are put on symbolic tensors: they become a model, and compute nothing.
import tensorflow as tf


def tower(inputs, filters, count):
    x = inputs
    for turn in range(count):
        shortcut = x
        x = tf.keras.layers.Conv1D(filters, 3, padding="same", use_bias=False)(x)
        x = tf.keras.layers.LayerNormalization()(x)
        x = tf.keras.layers.Activation("gelu")(x)
        gate = tf.keras.layers.Conv1D(filters, 1, activation="sigmoid")(x)
        x = tf.keras.ops.tanh(x) * gate * 0.5
        x = tf.keras.layers.Dropout(0.05 * turn)(x)
        x = tf.keras.layers.Add()([x, shortcut]) if turn else x
    return x


inputs = tf.keras.Input((12, 4))
outputs = tf.keras.layers.GlobalAveragePooling1D()(tower(inputs, 4, 6))
model = tf.keras.Model(inputs, outputs)
shape = model.output_shape
