# These calls give something back as well, but they are made for what they do.
import tempfile

import tensorflow as tf

table = tf.Variable(tf.zeros([4, 2]))
queue = tf.queue.FIFOQueue(4, tf.float32)
ids = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)


@tf.function
def mask_first(value):
    table.scatter_nd_update([[0]], [[value, value]])
    table.scatter_nd_add([[1]], [[1.0, 1.0]])
    tf.debugging.assert_equal(tf.shape(table)[0], 4)
    return table.read_value()


def make_dataset(rows, folder):
    data = tf.data.Dataset.from_tensor_slices(rows).repeat(2)
    data.save(folder)
    queue.enqueue(0.5)
    ids.insert(tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64))
    return tf.data.Dataset.load(folder).batch(2)


masked = mask_first(tf.constant(2.0))
with tempfile.TemporaryDirectory() as folder:
    sizes = [int(tf.shape(batch)[0]) for batch in make_dataset([1, 2, 3], folder)]
del folder
assert len(sizes) == 3
