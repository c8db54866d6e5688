# `self.call(x)` runs a model as `self(x)` does: for each file that was found, and each line of one.
import os
import tempfile
from pathlib import Path

import tensorflow as tf

tf.keras.utils.set_random_seed(5)
folder = Path(tempfile.mkdtemp())
for name in ("a", "b"):
    (folder / f"{name}.txt").write_text("1 2\n3 4\n")


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = tf.keras.layers.Dense(8, activation="relu")
        self.outer = tf.keras.layers.Dense(4)

    def call(self, inputs):
        return self.outer(self.inner(inputs))

    def scores(self, row):
        return self.call(tf.constant([row]))


def numbers(text):
    return [float(word) for word in text.split()]


net = Net()
net(tf.zeros([1, 2]))
found = []
for path in sorted(folder.glob("*.txt")):
    found.append(net.scores(numbers(path.read_text().splitlines()[0])))
with open(os.path.join(folder, "a.txt")) as file:
    for line in file:
        found.append(net.scores(numbers(line)))
total = float(tf.reduce_sum(tf.stack(found)))
