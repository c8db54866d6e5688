# An attribute set in the loop and read after it by another caller of the helper: no fix.
import tensorflow as tf


class Fitter:
    def __init__(self):
        self.weights = tf.Variable([[0.1], [0.2], [-0.1]])
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def residual(self, target):
        return tf.matmul(self.batch, self.weights) - target

    def fit(self, inputs, targets, turns):
        for turn in range(turns):
            self.batch = inputs * 1.0
            target = targets * 1.0
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(self.residual(target)))
            gradients = tape.gradient(loss, [self.weights])
            self.optimizer.apply_gradients(zip(gradients, [self.weights]))
        return self.residual(targets)


Fitter().fit(tf.ones([4, 3]), tf.ones([4, 1]), 30)
