# Variables that only carry what a model is given are tensors that take longer to make.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])


class Tagger:
    def __init__(self, model):
        self.model = model

    def tag(self, words, weights):
        words = tf.convert_to_tensor([words], dtype=tf.float32)
        weights = tf.convert_to_tensor([weights], dtype=tf.float32)
        return int(tf.argmax(self.model(tf.multiply(words, weights)), axis=1)[0])


tagger, rng = Tagger(model), np.random.RandomState(2)
tags = []
for turn in range(30):
    tags.append(tagger.tag(rng.rand(4), [1.0, 0.5, 0.0, 1.0]))
