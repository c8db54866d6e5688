# Arrays of which nothing is known are made batches of one by what is done to them.
import json

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
image = np.asarray(json.loads("[[1, 2], [3, 4]]"))


def prepared(image, process=None):
    found = []
    for _ in range(5):
        batch = np.expand_dims(image.astype("float32").ravel() / 255.0, axis=0)
        if process is not None:
            batch = process(batch)
        found.append(model.predict(batch, verbose=0)[0])
    return found


def rows(data):
    found = []
    for number in range(len(data)):
        found.append(model.predict(data[number : number + 1], verbose=0)[0])
        found.append(model.predict(data[number].reshape(1, -1) / 2.0, verbose=0)[0])
    return found


first = prepared(image, json.loads("{}").get("process"))
second = rows(np.asarray(json.loads("[[1, 2, 3, 4], [5, 6, 7, 8], [9, 0, 1, 2], [3, 4, 5, 6]]")))
