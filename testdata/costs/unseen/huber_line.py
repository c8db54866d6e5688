"""A robust line through noisy points, by plain gradient descent."""
import tensorflow as tf

tf.random.set_seed(1)
STEPS = 50


def residuals(weights, bias, xs, ys):
    return tf.linalg.matvec(xs, weights) + bias - ys


def huber(r, delta=1.0):
    size = tf.abs(r)
    return tf.reduce_mean(tf.where(size < delta, 0.5 * r * r, delta * (size - 0.5 * delta)))


def descend(weights, bias, xs, ys, rate):
    with tf.GradientTape() as tape:
        loss = huber(residuals(weights, bias, xs, ys))
    slopes = tape.gradient(loss, [weights, bias])
    weights.assign_sub(rate * slopes[0])
    bias.assign_sub(rate * slopes[1])
    return loss


def main():
    xs = tf.random.normal([128, 3])
    ys = tf.reduce_sum(xs, axis=1) + 0.3
    weights, bias = tf.Variable(tf.zeros([3])), tf.Variable(0.0)
    losses = []
    for step in range(STEPS):
        losses.append(descend(weights, bias, xs, ys, tf.constant(0.1)))
    print(float(losses[-1]), weights.numpy())


main()
