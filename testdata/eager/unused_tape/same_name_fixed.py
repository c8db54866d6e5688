# Of two tapes of one name only the first is asked: each `with` is judged by what reaches it.
import tensorflow as tf

w = tf.Variable([[1.0], [2.0]])
x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
losses = []

for epoch in range(2):
    for step in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(x @ w)
        w.assign_sub(0.01 * tape.gradient(loss, w))
    for step in range(2):
        loss = tf.reduce_sum(x @ w)
        losses.append(loss)
    losses.append(tf.reduce_max(x @ w))
