# Activations of each layer, saved as pictures: the turns are layers, and most of one is the file.
import tempfile
from pathlib import Path

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
inputs = tf.keras.Input([8, 8, 1])
first = tf.keras.layers.Conv2D(2, 3, padding="same", activation="relu")(inputs)
second = tf.keras.layers.Conv2D(4, 3, padding="same", activation="relu")(first)
third = tf.keras.layers.Conv2D(2, 3, padding="same", activation="relu")(second)
viewer = tf.keras.Model(inputs, [first, second, third])
image = tf.reshape(tf.linspace(0.0, 1.0, 64), [1, 8, 8, 1])

with tempfile.TemporaryDirectory() as folder:
    maps = viewer(image)
    for layer, activation in zip(viewer.layers[1:], maps):
        channels = tf.transpose(activation[0], [2, 0, 1])
        channels /= tf.reduce_max(channels) + 1e-6
        strip = tf.concat(tf.unstack(channels), axis=1)[..., tf.newaxis]
        encoded = tf.io.encode_png(tf.image.convert_image_dtype(strip, tf.uint8))
        Path(folder, f"{layer.name}.png").write_bytes(encoded.numpy())
    drawn = len(list(Path(folder).iterdir()))
del folder
