# A turn that takes a whole data set, or what it has put together of several batches.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
rows = np.random.RandomState(0).rand(48, 4).astype("float32")
parts = {"train": rows[:24], "valid": rows[24:36], "test": rows[36:], "all": rows}
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])

means = {}
for name, part in parts.items():
    means[name] = float(model.predict(part, verbose=0).mean())

waiting, scores = [], []
for batch in tf.data.Dataset.from_tensor_slices(rows).batch(4):
    waiting.append(batch.numpy())
    if len(waiting) == 6:
        together = np.concatenate(waiting)
        scores.append(model.predict(together, verbose=0))
        waiting.clear()
