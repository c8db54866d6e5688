# The block is handed symbolic tensors of Keras only, also behind a layer whose class is looked up.
import tensorflow as tf
from tensorflow import keras


def normalisation(name):
    if name == "none":
        return lambda: lambda rows: rows
    if name == "batch":
        return keras.layers.BatchNormalization
    return keras.layers.LayerNormalization


def network(width=8, blocks=9, name="layer"):
    Scale = normalisation(name)

    def block(rows):
        inner = keras.layers.Dense(width, use_bias=False)(rows)
        inner = Scale()(inner)
        inner = keras.activations.relu(inner)
        inner = keras.layers.Dense(width, use_bias=False)(inner)
        return keras.layers.add([rows, Scale()(inner)])

    rows = inputs = keras.Input(shape=(width,))
    rows = Scale()(rows)
    rows = keras.activations.relu(rows)
    for _ in range(blocks):
        rows = block(rows)
    return keras.Model(inputs=inputs, outputs=rows)
