# What is restored of a folder may run the graphs that were saved, whatever the code says of it.
# tf-version: 2.15
import sys

import numpy as np
import tensorflow as tf

if "--average" in sys.argv:
    model = tf.keras.models.load_model("saved/average")
else:
    model = tf.keras.models.load_model("saved/last")

for turn in range(400):
    print(model(np.full([1, 3], turn, np.float32)))
