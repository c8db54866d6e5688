"""A variable that is kept between gradient and update is no value: the update stays behind it."""

import tensorflow as tf

w = tf.Variable(5.0)
xs = tf.range(10.0)

kept = []
for epoch in range(20):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * xs - 3.0))
    dw = tape.gradient(loss, w)
    kept.append([w, loss])
    w.assign_sub(0.01 * dw)

values = [float(variable) for variable, _ in kept]
