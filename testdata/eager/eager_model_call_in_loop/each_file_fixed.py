# A folder may hold any number of files, and the model runs eagerly for each.
import glob
import os
import tempfile

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(2)])
traced_model = tf.function(model, reduce_retracing=True)
folder = tempfile.mkdtemp()
for number in range(12):
    np.save(os.path.join(folder, f"{number}.npy"), np.full([4], number, np.float32))


def predicted(folder):
    found = {}
    for number, path in enumerate(sorted(glob.glob(os.path.join(folder, "*.npy")))):
        found[number] = traced_model(np.load(path)[None])
    return found


def named(folder):
    paths = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".npy")]
    return {path: traced_model(np.load(path)[None]) for path in paths}


found = predicted(folder)
again = named(folder)
