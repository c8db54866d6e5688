# Three rows are few: a jacobian in one go would save nothing worth a finding.
import tensorflow as tf

x = tf.Variable([0.5, 1.0, 1.5])

with tf.GradientTape(persistent=True) as tape:
    y = tf.square(x)
    z = tf.reshape(x, [3])
    rows = [tape.gradient(y[i], x) for i in range(3)]
    others = [tape.gradient(z[i], x) for i in range(z.shape[0])]
