# Reading and decoding take one file each: there is no operation for all of them at once.
import os
import tempfile

import tensorflow as tf

folder = tempfile.mkdtemp()
names = []
for number in range(24):
    names.append(os.path.join(folder, f"{number}.png"))
    tf.io.write_file(names[-1], tf.io.encode_png(tf.fill([4, 4, 3], tf.cast(number, tf.uint8))))
paths = tf.constant(names)


def image_of(path):
    return tf.cast(tf.image.decode_png(tf.io.read_file(path), channels=3), tf.float32) / 255.0


images = tf.stack([image_of(path) for path in paths])
