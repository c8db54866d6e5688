# Each turn takes a batch of a data set: `predict` sets up a data set of its own for that.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
rows = np.random.RandomState(0).rand(48, 4).astype("float32")
labels = (rows.sum(axis=1) > 2).astype("float32")
data = tf.data.Dataset.from_tensor_slices((rows, labels)).batch(8)
model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1, "sigmoid")])

hits = []
for x, y in data:
    scores = model.predict_on_batch(x)
    for threshold in (0.2, 0.4, 0.6, 0.8):
        hits.append(float(tf.reduce_sum(tf.cast(scores[:, 0] > threshold, tf.float32) * y)))
