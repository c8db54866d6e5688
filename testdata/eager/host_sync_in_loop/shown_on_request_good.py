"""The loss is printed on every step only where somebody asks for it."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
w = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])
    return loss


def train(steps, verbose=0):
    for step in range(steps):
        loss = train_step(tf.ones([8, 4]))
        if verbose > 0:
            print(step, float(loss))


train(30)
final = w.numpy()
print(final.shape)
