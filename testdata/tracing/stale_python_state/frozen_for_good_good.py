# Two models that one function makes, of which the frozen one is only asked; and one that somebody may
# train before it is frozen.
import sys

import numpy as np
from tensorflow import keras


def make_network():
    network = keras.Sequential([keras.Input([4]), keras.layers.Dense(4)])
    network.compile("sgd", "mse")
    return network


teacher, pupil = make_network(), make_network()
teacher.trainable = False
rows = np.random.rand(32, 4)
for _ in range(100):
    pupil.train_on_batch(rows, teacher.predict(rows))

warm = make_network()
if "--warm" in sys.argv:
    warm.fit(rows, rows)
warm.trainable = False
warm.fit(rows, rows)
