"""Poisson regression by Newton's method, with the Hessian from a tape in a tape."""
import numpy as np
import tensorflow as tf

RESTARTS = 4
rng = np.random.default_rng(8)
design = tf.constant(rng.normal(size=(200, 6)) / 3)
counts = tf.constant(rng.poisson(2.0, size=200), tf.float64)


def loss_of(beta):
    rate = tf.linalg.matvec(design, beta)
    return tf.reduce_sum(tf.exp(rate) - counts * rate)


@tf.function
def newton(beta):
    with tf.GradientTape() as outer:
        outer.watch(beta)
        with tf.GradientTape() as inner:
            inner.watch(beta)
            loss = loss_of(beta)
        gradient = inner.gradient(loss, beta)
    hessian = outer.jacobian(gradient, beta)
    step = tf.linalg.solve(hessian, gradient[:, tf.newaxis])
    return beta - tf.squeeze(step, axis=1)


solutions = []
for restart in range(RESTARTS):
    beta = tf.zeros([6], tf.float64)
    for _ in range(8):
        beta = newton(beta)
    solutions.append(beta.numpy())
print(solutions[0])
