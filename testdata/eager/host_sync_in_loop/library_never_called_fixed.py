# Nobody here calls `fit`, and `begin` only hands on to it; what it does works outside of a trace alone.
import tensorflow as tf

w = tf.Variable(tf.zeros([4, 1]))
x, y = tf.random.normal([16, 4], seed=1), tf.ones([16, 1])


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


def fit(steps=100):
    kept = tf.train.Checkpoint(w=w)
    losses = []
    for step in range(steps):
        loss = train_step()
        losses.append(loss)
    losses = [loss.numpy() for loss in losses]
    return losses, kept


def begin(arguments):
    return fit(arguments.steps)
