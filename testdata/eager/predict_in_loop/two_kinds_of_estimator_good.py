# What gets a network from one caller and something else from another is no network.
import numpy as np
import tensorflow as tf


class Mean:
    def predict(self, rows):
        return rows.mean(axis=1)


network = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


def score(estimator, row):
    return estimator.predict(row[np.newaxis, ...])


def main(rows):
    found = [float(score(network, rows[0])[0, 0]) < 100.0]
    for row in rows:
        found.append(score(Mean(), row)[0])
    return found


print(main(np.ones([400, 4], "float32"))[:3])
