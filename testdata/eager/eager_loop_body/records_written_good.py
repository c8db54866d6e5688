# Each turn makes a record and writes it to a file: serialising is no step, and files stay outside.
import os
import tempfile

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
images = rng.integers(0, 255, size=(12, 4, 4, 1), dtype=np.uint8)
labels = rng.integers(0, 3, size=12)


def feature_of(image, label):
    encoded = tf.io.encode_png(image).numpy()
    return {
        "image": tf.train.Feature(bytes_list=tf.train.BytesList(value=[encoded])),
        "label": tf.train.Feature(int64_list=tf.train.Int64List(value=[int(label)])),
    }


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "train.tfrecord")
    with tf.io.TFRecordWriter(path) as writer:
        for number in range(12):
            features = tf.train.Features(feature=feature_of(images[number], labels[number]))
            writer.write(tf.train.Example(features=features).SerializeToString())
    size = sum(1 for _ in tf.data.TFRecordDataset(path))
del folder, path
print(size)
