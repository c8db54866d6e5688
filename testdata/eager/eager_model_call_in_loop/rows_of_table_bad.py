# The rows of a table are many, however they were read: by `csv`, by a comprehension that leaves some out.
import csv
import os
import tempfile

import numpy as np
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "rows.csv")
with open(path, "w") as file:
    file.write("a,0.5\nb,1.5\nc,-0.5\nd,2.0\n")
model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
model.set_weights([np.full_like(w, 0.25) for w in model.get_weights()])


def rows():
    with open(path) as file:
        return list(csv.reader(file))


def by_reader():
    found = {}
    for name, size in rows():
        found[name] = model(np.array([[float(size)]], "float32"), training=False).numpy()
    return found


def by_lines():
    with open(path) as file:
        lines = [line.strip().split(",") for line in file.readlines() if not line.startswith("c")]
    found = {}
    for line in lines:
        found[line[0]] = model(np.array([[float(line[1])]], "float32"), training=False).numpy()
    return found


print(by_reader(), by_lines())
