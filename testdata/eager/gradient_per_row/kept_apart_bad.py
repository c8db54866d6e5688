# Gradients kept in a dict, or of some rows, or of several sources: reported without a fix.
import tensorflow as tf

x = tf.Variable([0.5, 1.0, 1.5, 2.0, 2.5])
w = tf.Variable(2.0)

with tf.GradientTape(persistent=True) as tape:
    y = tf.square(x) * w
    rows = {}
    for i in range(5):
        rows[i] = tape.gradient(y[i], [x, w])
    columns = [tape.gradient(y[i], x) for i in range(1, 5)]
    norms = []
    for row in y:
        norms.append(tf.norm(tape.gradient(row, x)))

with tf.GradientTape(persistent=True) as tape:
    z = tf.reshape(y, [1, 5]) * w
    columns = [tape.gradient(z[:, i], w) for i in range(5)]
