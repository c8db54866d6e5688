# Where no tf.function calls it, `tf.map_fn` runs its function for each row in Python, and
# `tf.vectorized_map` traces it anew on each call.
import tensorflow as tf

images = tf.random.stateless_uniform([100, 8, 8, 3], seed=[1, 2])
shown = tf.image.per_image_standardization(images)


def main():
    total = tf.constant(0.0)
    for batch in tf.data.Dataset.from_tensor_slices(images).batch(20):
        squares = tf.vectorized_map(lambda image: tf.reduce_sum(image * image), batch)
        total += tf.reduce_sum(squares)
    return total


total = main()
