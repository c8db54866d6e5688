# What prints stays in a function of the old name, which calls the traced one.
import tensorflow as tf

weights = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def _train_step(y, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss


def train_step(y, x):
    loss = _train_step(y, x)
    print("loss: %.4f" % loss.numpy())


x = tf.reshape(tf.range(24, dtype=tf.float32) / 24, [6, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True) * 0.3
for step in range(30):
    train_step(y, x)
