# What the loop calls is taken from a table of functions, each of which was traced when the table was made.
import tensorflow as tf

weights = tf.Variable(tf.ones([3, 1]))


def absolute(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(x @ weights - y))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


def squared(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


STEPS = {step.__name__: tf.function(step) for step in (absolute, squared)}

rows = tf.reshape(tf.sin(tf.range(96.0)), [32, 3])
data = tf.data.Dataset.from_tensor_slices((rows, tf.reduce_sum(rows, 1, keepdims=True))).batch(4)
for name in ("absolute", "squared"):
    train_step = STEPS[name]
    for x, y in data.repeat(20):
        loss = train_step(x, y)
    print(name, float(loss))
