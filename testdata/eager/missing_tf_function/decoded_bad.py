"""A graph knows no rank of what `decode_image` gives, and `resize` refuses it, but where no moving pictures are asked for."""

import tensorflow as tf

picture = tf.io.encode_png(tf.zeros([8, 8, 3], tf.uint8))


def load_any(raw):
    image = tf.io.decode_image(raw, channels=3, dtype=tf.float32)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, [6, 6])
    image = tf.image.flip_left_right(image)
    return tf.clip_by_value(image * 2.0 - 1.0, -1.0, 1.0)


def load_still(raw):
    image = tf.io.decode_image(raw, channels=3, expand_animations=False)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, [6, 6])
    image = tf.image.flip_left_right(image)
    return tf.clip_by_value(image * 2.0 - 1.0, -1.0, 1.0)


total = 0.0
for _ in range(40):
    total = total + tf.reduce_sum(load_any(picture)) + tf.reduce_sum(load_still(picture))
print(float(total))
