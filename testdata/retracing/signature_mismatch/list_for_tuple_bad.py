# A signature makes no tuple of a list, nor a list of a tuple.
import tensorflow as tf

ROW = tf.TensorSpec([None], tf.float32)


@tf.function(input_signature=[ROW, (ROW, ROW)])
def joined(first, others):
    return tf.concat([first, *others], axis=0)


@tf.function(input_signature=[tuple([ROW for _ in range(2)])])
def summed(rows):
    return rows[0] + rows[1]


def halves(row):
    parts = []
    for place in range(2):
        parts.append(row[2 * place : 2 * place + 2])
    return parts


results = []
for call in (
    lambda row: joined(row, [row, row]),
    lambda row: summed(halves(row)),
    lambda row: summed(tuple(halves(row))),
):
    try:
        results.append(call(tf.range(4.0)).shape.rank)
    except TypeError:
        results.append(None)
