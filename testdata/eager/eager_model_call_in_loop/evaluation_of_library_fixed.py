"""A class that other programs use tests its model on all samples and labels, in a loop of its own.

Nothing here calls it, and nobody traces a whole evaluation; what the other loop validates by is a
function that it hands samples and labels to.
"""

import tensorflow as tf


class Trainer:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(units)])
        self.traced_model = tf.function(self.model, reduce_retracing=True)
        self.loss = tf.keras.losses.MeanSquaredError()

    def test(self, loader):
        outputs, labels = [], []
        for x, y in loader:
            outputs.append(self.traced_model(x, training=False))
            labels.append(y)
        return tf.concat(labels, axis=0), tf.concat(outputs, axis=0)

    def validate(self, loader, epochs=4):
        means = []
        for epoch in range(epochs):
            total = 0.0
            for number, (x, y) in enumerate(loader):
                total += self.check(x, y)
            means.append(float(total) / (number + 1))
            print("epoch", epoch)
        return means

    def check(self, x, y):
        return self.loss(y, self.model(x, training=False))
