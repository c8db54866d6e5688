# A data set that is made for one example, on each turn, is that example in a batch of one.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
net = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(3)])
signal = np.sin(np.arange(40.0)).astype(np.float32)


def by_parts(model, values):
    found = []
    for start in range(0, len(values), 4):
        part = tf.convert_to_tensor(values[start : start + 4])
        data = tf.data.Dataset.from_tensors(part)
        scores = model.predict(data.batch(1), verbose=0)
        found.append(scores[0])
        kept = tf.data.Dataset.from_tensors(part).batch(1)
        found.append(model.predict(kept, verbose=0)[0])
        del kept
    return np.stack(found)


def rebound(model, values):
    """What the data set holds has another name by then: no fix."""
    found = []
    for start in range(0, len(values), 4):
        part = tf.convert_to_tensor(values[start : start + 4])
        data = tf.data.Dataset.from_tensors(part).batch(1)
        part = part + 1.0
        found.append(model.predict(data, verbose=0)[0])
    return np.stack(found)


def many(model, values):
    """Batches of more: no report."""
    data = tf.data.Dataset.from_tensor_slices(values.reshape(-1, 4))
    return [model.predict(data.batch(size), verbose=0).sum() for size in (2, 5)]


parts = by_parts(net, signal)
others = rebound(net, signal)
sums = many(net, signal)
