# Lists read for their length, with members from before the loop, or filled in a branch.
import tensorflow as tf


@tf.function
def counted(n):
    seen = []
    for i in tf.range(n):
        seen.append(i)
    return len(seen)


@tf.function
def large(x):
    kept = []
    for i in range(3):
        if x[i] > 1.0:
            kept.append(x[i])
    return tf.stack(kept)


@tf.function
def joined(x):
    parts = [x[:1]]
    for row in tf.split(x, 3):
        parts += [row]
    for index in tf.data.Dataset.range(2):
        parts += [x * tf.cast(index, tf.float32)]
    return tf.concat(parts, axis=0)


@tf.function(jit_compile=True)
def total(x):
    values = []
    for value in x:
        values.append(value)
    return tf.add_n(values)


values = tf.constant([0.5, 1.5, 2.5])
counted(tf.constant(3))
large(values)
joined(values)
total(values)
