"""What a tape is made with may do something of its own, which would go with the tape: it stays."""

import tensorflow as tf

asked = []
w = tf.Variable(3.0)
with tf.GradientTape(persistent=bool(asked.append("asked"))) as tape:
    y = w * w
print(float(y), len(asked))
