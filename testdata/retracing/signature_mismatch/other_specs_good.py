# Only what is written out as `TensorSpec` is held against: other specs, and lists of them, are left alone.
import tensorflow as tf

specs = [tf.TensorSpec([None], tf.float32)]


@tf.function(input_signature=specs)
def total(values):
    return tf.reduce_sum(values)


@tf.function(input_signature=[tf.RaggedTensorSpec([None, None], tf.float32)])
def lengths(rows):
    return rows.row_lengths()


@tf.function(input_signature=[[tf.TensorSpec([2], tf.float32), tf.TensorSpec([], tf.float32)]])
def shifted(pair):
    return pair[0] + pair[1]


found = total(tf.ones([3])), lengths(tf.ragged.constant([[1.0], [2.0, 3.0]]))
moved = shifted([tf.ones([2]), tf.constant(1.0)])
