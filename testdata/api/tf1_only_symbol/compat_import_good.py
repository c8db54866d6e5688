# `tf` is the module `compat.v1`, which has all of these names.
import tensorflow.compat.v1 as tf
from tensorflow.compat import v1 as tf1

v = tf.get_variable("v", initializer=1.0, use_resource=True)
rate = tf1.train.exponential_decay(0.1, tf1.train.get_or_create_global_step(), 10, 0.5)
logs = tf.log(2.0)
