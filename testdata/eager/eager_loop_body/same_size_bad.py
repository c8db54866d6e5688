# A size read by Python is the same on each turn, though the tensor is another: it may be traced.
import tensorflow as tf

table = tf.random.stateless_normal([12, 3], seed=[2, 2])
weights = tf.Variable(tf.ones([3, 3]))

rows = table
for turn in range(10):
    # The same rows in another order: the size that Python reads stays.
    order = tf.random.experimental.stateless_shuffle(tf.range(12), [3, turn])
    rows = tf.gather(rows, order)
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(rows[:4] @ weights)) / rows.shape[0]
    weights.assign_sub(0.05 * tape.gradient(loss, weights))

newest = table
for turn in range(10):
    with tf.GradientTape() as tape:
        output = newest @ weights
        loss = tf.reduce_sum(tf.square(output)) / newest.shape[0]
    weights.assign_sub(0.05 * tape.gradient(loss, weights))
    newest = tf.concat([newest[1:], output[:1]], axis=0)

final = weights.numpy()
