# Under `EAGER = True` the branch with the session is never run.
import tensorflow.compat.v2 as tf

tf.enable_v2_behavior()

EAGER = True
x = tf.constant([1.0, 2.0])

if EAGER:
    total = tf.reduce_sum(x)
else:
    with tf.Session() as session:
        total = session.run(tf.reduce_sum(x))
