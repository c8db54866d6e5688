# A step without an optimizer: what it changes are variables, so only the loss goes out.
import tensorflow as tf

x = tf.constant([[1.0, 2.0], [2.0, 0.5], [0.0, 1.0]])
y = tf.constant([1.0, 2.0, 3.0])
w = tf.Variable(tf.zeros(2))
b = tf.Variable(0.0)
rate = 0.05
trace = []
for _ in range(40):
    with tf.GradientTape() as tape:
        residual = tf.linalg.matvec(x, w) + b - y
        loss = tf.reduce_mean(residual**2)
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(rate * dw)
    b.assign_sub(rate * db)
    trace.append(float(loss))
