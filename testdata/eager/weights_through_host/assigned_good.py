"""What NumPy works on has to come to the host, and a copy every twenty steps costs nothing."""

import numpy as np
import tensorflow as tf

w = tf.Variable(tf.ones([4, 3]))
best = tf.Variable(tf.zeros([4, 3]))
order = tf.Variable(tf.zeros([4, 3]))

for step in range(40):
    w.assign_add(tf.ones([4, 3]) * 0.1)
    order.assign(np.linalg.qr(w.numpy())[0])
    if step % 20 == 0:
        best.assign(w.numpy())
result = best.numpy()
print(result.shape)
