# No target is set: what the newest has may be used.
import tensorflow as tf

total = tf.keras.ops.sum(tf.ones([2, 2]))
product = tf.matmul(tf.ones([2, 2]), tf.ones([2, 2]), grad_b=False)
data = tf.data.Dataset.range(8).map(lambda i: i * 2, synchronous=False)
