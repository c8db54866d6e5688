# intent: correcting
# Methods of a dataset that few use give a new dataset too.
import tensorflow as tf


def make_dataset(count):
    data = tf.data.Dataset.range(count).batch(4)
    data.rebatch(2)
    return data


sizes = [int(tf.size(batch)) for batch in make_dataset(8)]
assert len(sizes) == 4
