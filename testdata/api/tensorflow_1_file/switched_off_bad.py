# `disable_v2_behavior` as the module runs: what follows is TensorFlow 1.
import tensorflow as tf

tf.compat.v1.disable_v2_behavior()

a = tf.constant([1.0, 2.0])
total = tf.reduce_sum(a * a)

with tf.compat.v1.Session() as session:
    result = session.run(total)
    print(result)
