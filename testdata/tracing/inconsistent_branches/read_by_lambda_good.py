# A name that one branch binds and a lambda or comprehension of that branch reads: AutoGraph takes it
# for read there only, so nothing must be bound on the other side.
import tensorflow as tf

flag = tf.Variable(True)


@tf.function
def picked(x):
    if flag:
        at = tf.where(x > 0.0)[:, 0]
        x = tf.nest.map_structure(lambda values: tf.gather(values, at), x)
    return tf.reduce_sum(x)


@tf.function
def summed(x):
    for step in tf.range(3):
        scale = tf.cast(step, tf.float32)
        x = tf.nest.map_structure(lambda values: values * scale, x)
    return x


total = picked(tf.constant([1.0, -2.0, 3.0]))
scaled = summed(tf.constant([1.0, -2.0]))
