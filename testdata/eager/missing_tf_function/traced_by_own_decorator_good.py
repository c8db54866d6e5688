# The decorator is the project's own, and what it gives back is a traced function.
import tensorflow as tf

weights = tf.Variable(tf.zeros([3, 1]))
rows = tf.reshape(tf.sin(tf.range(96.0)), [32, 3])
data = tf.data.Dataset.from_tensor_slices((rows, tf.reduce_sum(rows, 1, keepdims=True))).batch(4)


def compiled(function):
    return tf.function(function, reduce_retracing=True)


@compiled
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
    return loss


for x, y in data.repeat(20):
    loss = train_step(x, y)
print(float(loss))
