# Two nested loops of two and three turns: all of them together are too few to pay for a trace.
import tensorflow as tf

ratings = tf.reshape(tf.linspace(0.0, 3.0, 24), [6, 4])
users = tf.Variable(tf.reshape(tf.linspace(0.1, 0.9, 12), [6, 2]))
items = tf.Variable(tf.reshape(tf.linspace(0.9, 0.1, 8), [2, 4]))
errors = []

for turn in range(2):
    for factor in (users, items, users):
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.square(ratings - tf.matmul(users, items)))
        factor.assign_sub(0.1 * tape.gradient(error, factor))
    errors.append(float(error))

final = (users.numpy(), items.numpy())
