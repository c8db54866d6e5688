# The pictures are made on every fiftieth step only, and saved to files.
import tempfile
from pathlib import Path

import tensorflow as tf

weights = tf.Variable(tf.reshape(tf.linspace(-0.2, 0.2, 32), [2, 16]))
target = tf.reshape(tf.linspace(0.0, 1.0, 64), [4, 16])
codes = tf.reshape(tf.linspace(-1.0, 1.0, 8), [4, 2])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.tanh(codes @ weights) - target))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


def save_samples(folder, step):
    images = tf.reshape(tf.tanh(codes @ weights), [4, 4, 4, 1])
    images = (images - tf.reduce_min(images)) / (tf.reduce_max(images) - tf.reduce_min(images))
    strip = tf.concat(tf.unstack(images), axis=1)
    encoded = tf.io.encode_png(tf.image.convert_image_dtype(strip, tf.uint8))
    Path(folder, f"{step:04d}.png").write_bytes(encoded.numpy())


with tempfile.TemporaryDirectory() as folder:
    for step in range(100):
        loss = train_step()
        if step % 50 == 0:
            save_samples(folder, step)
    saved = sorted(path.name for path in Path(folder).iterdir())
del folder
print(saved, round(float(loss), 3))
