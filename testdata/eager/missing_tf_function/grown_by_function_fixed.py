"""A list that a function changes by another name is no constant of the step that reads it."""

import tensorflow as tf

weights = [tf.Variable(tf.ones([4, 1]))]


def grow(variables):
    variables.append(tf.Variable(tf.ones([4, 1])))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.add_n([x @ w for w in weights]) - x[:, :1]))
    for w, g in zip(weights, tape.gradient(loss, weights)):
        w.assign_sub(0.01 * g)
    return loss


grow(weights)
for _ in range(9):
    print(float(train_step(tf.ones([3, 4]))))
