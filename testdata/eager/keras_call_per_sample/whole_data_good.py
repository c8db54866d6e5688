# An epoch, a fold or a rate for each call of `fit`: each goes over all the data.
import numpy as np
import tensorflow as tf

x, y = np.ones([64, 4]), np.ones([64, 1])


def make():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


model = make()
for epoch in range(20):
    model.fit(x, y, epochs=1, verbose=0)

for fold in range(5):
    candidate = make()
    candidate.fit(x[fold::5], y[fold::5], epochs=10)
    candidate.evaluate(x[fold::5], y[fold::5])

for rate in (0.1, 0.01, 0.001, 0.0001):
    model.compile(optimizer=tf.keras.optimizers.SGD(rate), loss="mse")
    model.fit(x, y, epochs=5)
