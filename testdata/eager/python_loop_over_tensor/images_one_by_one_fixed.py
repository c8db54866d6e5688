# An operation that takes a batch of images as it takes each of them needs no map.
import tensorflow as tf

images = tf.random.stateless_uniform([100, 8, 8, 3], seed=[1, 2])
standard = tf.image.per_image_standardization(images)
maps = tf.reduce_mean(images, axis=-1)
large = tf.image.resize(tf.expand_dims(maps, axis=-1), [12, 12], method=tf.image.ResizeMethod.BICUBIC)


def bright(batches):
    found = []
    for batch in batches:
        found.append(tf.image.adjust_contrast(batch, 1.5))
    return tf.concat(found, axis=0)


brighter = bright(tf.data.Dataset.from_tensor_slices(images).batch(20))
# No fix: what is made of a row is more than one operation, of a row of another rank, or in another dtype.
twice = tf.map_fn(lambda image: tf.image.rot90(image) + image, images)
rows = tf.map_fn(lambda batch: tf.image.flip_up_down(batch), tf.reshape(images, [100, 1, 8, 8, 3]))
whole = tf.map_fn(
    lambda i: tf.image.convert_image_dtype(i, tf.uint8), images, fn_output_signature=tf.uint8
)
