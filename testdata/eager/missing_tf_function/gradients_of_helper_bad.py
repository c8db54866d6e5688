"""The step is what applies the gradients, though a helper that it calls computes them."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)


class Fit:
    def __init__(self):
        self.slope = tf.Variable(tf.zeros([3, 1]))
        self.optimizer = tf.keras.optimizers.SGD(0.1)
        self.optimizer.build([self.slope])

    def gradients(self, points, truth):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(points @ self.slope - truth))
        return loss, tape.gradient(loss, [self.slope])

    def step(self, points, truth):
        loss, gradients = self.gradients(points, truth)
        self.optimizer.apply_gradients(zip(gradients, [self.slope]))
        return loss


points = tf.random.normal([64, 3])
truth = points @ tf.constant([[1.0], [-2.0], [0.5]])
fit = Fit()
for _ in range(60):
    loss = fit.step(points, truth)
print(f"{float(loss):.4f}", fit.slope.numpy().round(3).ravel())
