# A prediction for all that there is, beside a training step, goes through whole data, as does one once
# for each epoch of steps.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
pool = np.random.RandomState(0).rand(500, 2).astype("float32")


def choose(rows):
    return int(np.argmax(model.predict(rows, verbose=0)))


def query(times):
    for _ in range(times):
        chosen = choose(pool)
        model.train_on_batch(pool[chosen : chosen + 1], np.ones([1, 1]))


def train(epochs):
    found = []
    for _ in range(epochs):
        for step in range(10):
            model.train_on_batch(pool[step : step + 4], np.ones([4, 1]))
        order = np.argsort(pool[:, 0])
        found.append(model.predict(pool[order], verbose=0).mean())
    return found


query(12)
found = train(5)
