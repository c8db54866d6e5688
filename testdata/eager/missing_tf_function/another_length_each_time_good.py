# The step is traced where it is handed over, with relaxed shapes: what it is passed in another size on each turn needs no other trace.
import tensorflow as tf

weights = tf.Variable([[0.5, -0.25], [0.25, 0.5]])


def descend(rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rows @ weights))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return rows @ weights * 0.5


step = tf.function(descend, reduce_retracing=True)
for length in range(1, 40):
    rows = tf.ones([length, 2])
    for _ in range(2):
        rows = step(rows)
print(weights.numpy())
