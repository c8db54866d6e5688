# Each stage takes the place of the one before in an attribute, so the last write tells what feeds it.
import tensorflow as tf


class Pictures:
    def __init__(self, images):
        self.data = tf.data.Dataset.from_tensor_slices(images)
        self.plain = tf.data.Dataset.from_tensor_slices(images)
        self.data = self.data.map(lambda image: image / 2.0)
        self.data = self.data.map(tf.image.random_flip_left_right)
        self.data = self.data.batch(4)
        self.data = self.data.cache()
        self.plain = self.plain.batch(4).cache()


images = tf.random.stateless_uniform([12, 8, 8, 3], seed=[1, 1])
pictures = Pictures(images)
epochs = [tf.concat([tf.reshape(e, [-1]) for e in pictures.data], 0) for _ in range(2)]
frozen = bool(tf.reduce_all(epochs[0] == epochs[1]))
assert frozen
