"""A Kalman filter over a batch of tracks, one measurement after the other."""
import numpy as np
import tensorflow as tf

RUNS = 4
transition = tf.constant([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0],
                          [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
observation = tf.constant([[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]])
process, noise = 0.01 * tf.eye(4), 0.5 * tf.eye(2)


class Filter:
    def __init__(self, tracks):
        self.tracks = tracks

    def predict(self, mean, cov):
        mean = tf.linalg.matvec(transition, mean)
        cov = transition @ cov @ tf.transpose(transition) + process
        return mean, cov

    def correct(self, mean, cov, measured):
        residual = measured - tf.linalg.matvec(observation, mean)
        spread = observation @ cov @ tf.transpose(observation) + noise
        gain = cov @ tf.transpose(observation) @ tf.linalg.inv(spread)
        mean = mean + tf.linalg.matvec(gain, residual)
        cov = (tf.eye(4) - gain @ observation) @ cov
        return mean, cov

    @tf.function
    def advance(self, mean, cov, measured):
        mean, cov = self.predict(mean, cov)
        return self.correct(mean, cov, measured)

    def run(self, measurements):
        mean, cov = tf.zeros([self.tracks, 4]), tf.eye(4, batch_shape=[self.tracks])
        for measured in measurements:
            mean, cov = self.advance(mean, cov, tf.constant(measured))
        return mean


walks = np.random.default_rng(0).normal(size=(25, 8, 2)).cumsum(axis=0).astype("float32")
tracker = Filter(8)
ends = []
for _ in range(RUNS):
    ends.append(tracker.run(walks).numpy())
print(ends[0].mean())
