# Arguments that came after the target, of a function and of a dataset's method.
# tf-version: 2.15
import tensorflow as tf

a = tf.ones([2, 2])
product = tf.matmul(a, a, grad_b=True)
data = tf.data.Dataset.range(8)
data = data.map(lambda i: i * 2, synchronous=True)
