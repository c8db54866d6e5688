# The fields of one row are few.
import csv
import os
import tempfile

import numpy as np
import tensorflow as tf

path = os.path.join(tempfile.mkdtemp(), "row.csv")
with open(path, "w") as file:
    file.write("0.5,1.5\n")
model = tf.keras.Sequential([tf.keras.Input([1]), tf.keras.layers.Dense(1)])


def fields():
    with open(path) as file:
        row = next(csv.reader(file))
    return [model(np.array([[float(field)]], "float32"), training=False).shape for field in row]


def words():
    with open(path) as file:
        line = file.readline()
    found = []
    for word in line.split(","):
        found.append(model(np.array([[float(word)]], "float32"), training=False).shape)
    return found


print(fields(), words())
