# A notebook shows the value of a statement that stands by itself in a module.
import tensorflow as tf

data = tf.data.Dataset.range(4)
data.batch(2)
tf.cast([1.5], tf.int32)
