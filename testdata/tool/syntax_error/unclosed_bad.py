# A bracket that is never closed is named where it opens.
import tensorflow as tf

total = tf.reduce_sum(tf.ones((2, 3))
print(total)
