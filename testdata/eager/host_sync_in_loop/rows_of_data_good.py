"""What NumPy reads is what the data set feeds, and no turn computed it on the device."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)

classifier = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
rows = np.random.default_rng(3).normal(size=(640, 4)).astype("float32")
truth = np.arange(640) % 3
batches = tf.data.Dataset.from_tensor_slices((rows, truth)).batch(32)
scores_of = tf.function(classifier, reduce_retracing=True)

labels = np.array([], dtype=np.int64)
outputs = []
for batch, given in batches:
    labels = np.append(labels, given)
    outputs.append(scores_of(batch))
print(np.mean(labels == np.argmax(np.concatenate(outputs), axis=-1)))
