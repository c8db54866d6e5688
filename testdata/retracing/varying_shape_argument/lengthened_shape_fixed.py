# A list that is lengthened in place has more members than it had.
import tensorflow as tf


@tf.function(reduce_retracing=True)
def total(window):
    return tf.reduce_sum(window)


shape = [12]
found = []
for turn in range(2):
    data = tf.ones(shape)
    for size in range(1, 9):
        found.append(total(data[:size]))
    shape += [turn + 2]
found = tf.stack(found)
