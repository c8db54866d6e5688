# Numbers in a list are part of the key: a list with others on each turn is traced anew.
import tensorflow as tf


@tf.function
def total(numbers):
    return tf.reduce_sum(tf.stack(numbers))


history = []
sums = []
for step in range(8):
    sums.append(total([step, step + 1]))
    history.append(float(step))
    sums.append(total(history))
