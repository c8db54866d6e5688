"""Two variables of one shape share a trace: what reads one of them by name as well reads the other."""

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


for turn in range(30):
    half_step(users)
    loss = half_step(items)
print(loss.numpy(), users.numpy().sum(), items.numpy().sum())
