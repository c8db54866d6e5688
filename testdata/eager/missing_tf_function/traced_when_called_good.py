# The object itself is called on every turn, which is traced, and with it the method that it runs.
import tensorflow as tf


class Regression(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.weights = tf.Variable(tf.zeros([size]))

    @tf.function
    def __call__(self, x, y):
        return self.descend(x, y)

    def descend(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.linalg.matvec(x, self.weights) - y))
        self.weights.assign_sub(0.1 * tape.gradient(loss, self.weights))
        return loss


regression = Regression(3)
for _ in range(60):
    loss = regression(tf.ones([4, 3]), tf.ones([4]))
