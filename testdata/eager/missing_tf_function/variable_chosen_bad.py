"""One call, and two variables that come to it by turns: they share a trace as those of two calls do."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
ratings = tf.random.normal([10, 10])
users = tf.Variable(tf.random.normal([10, 3]))
items = tf.Variable(tf.random.normal([10, 3]))
mean_squared = tf.keras.losses.MeanSquaredError()


def half_step(block):
    with tf.GradientTape() as tape:
        loss = mean_squared(ratings, tf.matmul(users, items, transpose_b=True))
    block.assign_sub(0.5 * tape.gradient(loss, block))
    return loss


for turn in range(60):
    block = users if turn % 2 == 0 else items
    loss = half_step(block)
print(loss.numpy(), users.numpy().sum(), items.numpy().sum())
