# Comparing decides what is kept on each turn, so that the read can't wait: advice only.
import logging

import tensorflow as tf

log = logging.getLogger("fit")


class Fitter:
    def __init__(self):
        self.slope = tf.Variable(0.0)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.slope * x - y))
        self.slope.assign_sub(0.02 * tape.gradient(loss, self.slope))
        return loss, self.slope * 1.0

    def fit(self, x, y, steps):
        best, best_slope = 1e9, 0.0
        for _ in range(steps):
            loss, slope = self.step(x, y)
            log.info("loss %.3f", float(loss))
            if loss < best:
                best, best_slope = loss, slope
        return float(best), float(best_slope)


fitter = Fitter()
x = tf.linspace(0.0, 2.0, 21)
best, slope = fitter.fit(x, 1.5 * x, steps=60)
