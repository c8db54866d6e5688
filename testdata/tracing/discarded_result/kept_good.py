# Results that are bound again or handed on, and calls that are made for their effect.
import tensorflow as tf


@tf.function
def squares(x):
    found = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        found = found.write(i, x[i] * x[i])
    tf.print("squared", i)
    tf.debugging.assert_all_finite(x, "finite")
    return found.stack()


def prepared(rows):
    data = tf.data.Dataset.from_tensor_slices(rows)
    data = data.shuffle(3, seed=1).batch(2)
    return data


def masked(x):
    return tf.tensor_scatter_nd_update(x, [[0]], [0.0])


total = tf.Variable(0.0)
total.assign_add(1.0)
results = squares(tf.ones([3])), masked(tf.ones([2]))
sizes = [int(tf.shape(batch)[0]) for batch in prepared([1, 2, 3])]
