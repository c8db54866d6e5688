# A function that reads its argument at times only, or goes on with the tensor, asks for no value each time.
import tensorflow as tf

rows = tf.reshape(tf.range(600.0), [6, 100])


def shown(value, verbose):
    if verbose:
        print(float(value))
    return value * 2.0


def table(row):
    last = tf.constant(0.0)
    for place in range(row.shape[0]):
        last = shown(row[place], False) + 0.5 * last
    return last


for row in rows:
    print(float(table(row)))
