# Each turn loads a model of its own, and builds it by one call.
import tensorflow as tf


class Small(tf.keras.Model):
    def __init__(self, size):
        super().__init__()
        self.dense = tf.keras.layers.Dense(size)

    def call(self, x):
        return self.dense(x)


def build(model):
    model(tf.ones([1, 4]))
    return len(model.weights)


def loaded(size):
    model = Small(size)
    found = build(model)
    return model if size else None, found


sizes = []
number = 0
while number < 30:
    number += 1
    model, found = loaded(number)
    sizes.append(found)
