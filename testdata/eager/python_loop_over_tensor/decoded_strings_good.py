# What the loop stacks is decoded, string by string, from a Python list: no tensor has these rows.
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
drawn = rng.integers(0, 255, size=(12, 4, 4, 1), dtype=np.uint8)
files = {f"{number}.png": tf.io.encode_png(image).numpy() for number, image in enumerate(drawn)}


def loaded(files):
    images = []
    for name in sorted(files):
        image = tf.io.decode_png(files[name], channels=1)
        images.append(tf.image.convert_image_dtype(image, tf.float32))
    return tf.stack(images)


def padded(sentences):
    longest = max(len(words) for words in sentences)
    rows = [tf.pad(tf.constant(words), [[0, longest - len(words)]]) for words in sentences]
    return tf.stack(rows)


images = loaded(files)
tokens = padded([[1, 2], [3, 4, 5], [6], [7, 8, 9, 10]])
