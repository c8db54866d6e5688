# `Dataset.reduce` traces the function that it is given: Python calls it once for each trace.
import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices(tf.random.stateless_uniform([64, 4], [1, 2])).batch(8)


def merged(state, batch):
    count, mean, spread = state
    size = tf.cast(tf.shape(batch)[0], tf.float32)
    difference = tf.reduce_mean(batch, axis=0) - mean
    total = count + size
    spread += tf.math.reduce_variance(batch, axis=0) * size
    spread += tf.square(difference) * count * size / total
    return total, mean + difference * size / total, spread


found = []
for seed in range(20):
    start = (tf.constant(0.0), tf.zeros([4]), tf.zeros([4]))
    count, mean, spread = rows.shuffle(8, seed=seed).reduce(start, merged)
    found.append((mean, spread / count))
