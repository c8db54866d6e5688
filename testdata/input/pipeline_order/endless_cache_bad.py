# `cache` behind an endless `repeat` never reaches the end of what it keeps.
import tensorflow as tf

data = tf.data.Dataset.range(10).map(lambda v: v * v).repeat().cache()
total = tf.Variable(0, dtype=tf.int64)
for value in data.take(25):
    total.assign_add(value)
