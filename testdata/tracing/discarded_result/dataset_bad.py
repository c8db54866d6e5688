# Each transformation gives a new dataset; it is bound again where the name is read after.
# intent: correcting
import tensorflow as tf


def make_dataset(rows):
    data = tf.data.Dataset.from_tensor_slices(rows)
    data.repeat(2)
    return data.batch(2)


class Source:
    def __init__(self, rows):
        self.data = tf.data.Dataset.from_tensor_slices(rows)
        self.data.batch(2)


sizes = [int(tf.shape(batch)[0]) for batch in make_dataset([1, 2, 3])]
assert len(sizes) == 3
shapes = [row.shape for row in Source([1, 2, 3]).data]
