# intent: correcting
"""One name holds one tape after the other: each is asked for what it has recorded itself."""

import tensorflow as tf

v = tf.Variable(2.0)
first = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = v * v
by_v = tape.gradient(y, v)

second = tf.constant(5.0)
with tf.GradientTape() as tape:
    z = v * second
by_second = tape.gradient(z, second)

with tf.GradientTape() as unused, tf.GradientTape() as tape:
    p = v * first
    q = p * p
by_p = tape.gradient(p, v)
by_q = tape.gradient(q, v)

with tf.GradientTape() as tape:
    with tf.GradientTape() as tape:
        w = first * first * v
    by_first = tape.gradient(w, first)
print(by_v, by_second, by_p, by_q, by_first)
