"""What is decoded may be a moving picture: a graph would refuse to resize it, also behind a helper."""

import tensorflow as tf

picture = tf.io.encode_png(tf.zeros([8, 8, 3], tf.uint8))


def decode(raw):
    return tf.image.convert_image_dtype(tf.io.decode_image(raw, channels=3), tf.float32)


def load(raw):
    image = tf.image.resize(decode(raw), [6, 6])
    image = tf.image.flip_left_right(image)
    return tf.clip_by_value(image * 2.0 - 1.0, -1.0, 1.0)


total = 0.0
for _ in range(40):
    total = total + tf.reduce_sum(load(picture))
print(float(total))
