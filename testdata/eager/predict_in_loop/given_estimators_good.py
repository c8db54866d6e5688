# `predict` alone says nothing: estimators of other libraries have it, too, and want arrays.
import numpy as np
import tensorflow as tf


class Bagging:
    def __init__(self, estimators, scaler):
        self.estimators, self.scaler = estimators, scaler

    def fit(self, rows, labels):
        for start in range(0, len(rows), 32):
            part = self.scaler.predict(rows[start : start + 32])
            for estimator in self.estimators:
                estimator.fit(part, labels[start : start + 32])

    def predict(self, rows):
        votes = [estimator.predict(rows) for estimator in self.estimators]
        return tf.reduce_mean(np.stack(votes), axis=0)
