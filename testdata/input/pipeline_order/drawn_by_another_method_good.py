# What another method put into the attribute since is not known, nor what comes before its draws.
import tensorflow as tf


class Pictures:
    def __init__(self, images, draws):
        self.data = tf.data.Dataset.from_tensor_slices(images).map(tf.image.random_flip_left_right)
        self.start(images, draws)
        self.data = self.data.cache()

    def start(self, images, draws):
        if not draws:
            self.data = tf.data.Dataset.from_tensor_slices(images)


images = tf.random.stateless_uniform([12, 8, 8, 3], seed=[1, 1])
pictures = Pictures(images, draws=False)
seen = [tf.reduce_sum(image) for image in pictures.data]
