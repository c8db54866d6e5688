# An operation that takes a batch of images as it takes each of them needs no map.
import tensorflow as tf

images = tf.random.stateless_uniform([100, 8, 8, 3], seed=[1, 2])
standard = tf.map_fn(tf.image.per_image_standardization, images)
maps = tf.reduce_mean(images, axis=-1)
large = tf.map_fn(
    fn=lambda each: tf.image.resize(each, [12, 12], method=tf.image.ResizeMethod.BICUBIC),
    elems=tf.expand_dims(maps, axis=-1),
)


def bright(batches):
    found = []
    for batch in batches:
        found.append(tf.vectorized_map(lambda image: tf.image.adjust_contrast(image, 1.5), batch))
    return tf.concat(found, axis=0)


brighter = bright(tf.data.Dataset.from_tensor_slices(images).batch(20))
# No fix: what is made of a row is more than one operation, of a row of another rank, or in another dtype.
twice = tf.map_fn(lambda image: tf.image.rot90(image) + image, images)
rows = tf.map_fn(lambda batch: tf.image.flip_up_down(batch), tf.reshape(images, [100, 1, 8, 8, 3]))
whole = tf.map_fn(
    lambda i: tf.image.convert_image_dtype(i, tf.uint8), images, fn_output_signature=tf.uint8
)
