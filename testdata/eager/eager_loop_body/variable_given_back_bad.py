# types: loose
"""What `assign_sub` gives back is the variable, which goes on changing; a trace gives back its value
of that moment."""

import tensorflow as tf

w = tf.Variable(tf.ones([2]))

for _ in range(40):
    total = tf.reduce_sum(tf.tanh(w)) + tf.reduce_mean(w)
    moved = w.assign_sub(0.1 * tf.tanh(w))
    print(moved.numpy(), float(total))
