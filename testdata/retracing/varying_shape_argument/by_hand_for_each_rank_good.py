# A signature of one rank takes a batch of one beside batches of many.
import tensorflow as tf

table = tf.reshape(tf.random.stateless_normal([40], seed=[1, 2]), [20, 2])


@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def spread(window):
    return tf.reduce_max(window, axis=0) - tf.reduce_min(window, axis=0)


found = []
for size in range(1, 12):
    found.append(spread(table[:size]))
    found.append(spread(table[size][None]))
found = tf.stack(found)
