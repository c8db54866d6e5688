# An indent without a block: the file's place is named, other files go on.
import tensorflow as tf

for step in range(3):
    x = tf.ones(2) * step
      y = x + 1
