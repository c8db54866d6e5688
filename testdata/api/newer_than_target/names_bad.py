# Names and modules that came after the target, by import and by attribute.
# tf-version: 2.12
import tensorflow as tf
from tensorflow.keras import ops

total = ops.sum(tf.ones([2, 2]))
spread = tf.keras.ops.std(tf.ones([2, 2]))
seed = tf.keras.random.SeedGenerator(3)
narrow = tf.dtypes.experimental.int4
