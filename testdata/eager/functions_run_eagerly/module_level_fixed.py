# The switch at module level, above a traced function that it makes eager: removed.
import tensorflow as tf

# Left over from a debugging session.

weights = tf.Variable(tf.ones([3, 1]))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


inputs = tf.reshape(tf.range(12.0) / 10.0, [4, 3])
losses = [float(train_step(inputs, tf.zeros([4, 1]))) for _ in range(5)]
