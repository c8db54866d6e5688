# A partial of a traced function is what the loop calls: the step is traced, whatever is filled in.
import functools

import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))
rows = tf.reshape(tf.sin(tf.range(96.0)), [32, 3])
data = tf.data.Dataset.from_tensor_slices((rows, tf.reduce_sum(rows, 1, keepdims=True))).batch(4)


def step(rate, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(rate * tape.gradient(loss, weights))
    return loss


train_step = functools.partial(tf.function(step), tf.constant(0.01))
for x, y in data.repeat(20):
    loss = train_step(x, y)
print(float(loss))
