"""Hamiltonian Monte Carlo: draws from a distribution known by its logarithm."""
import tensorflow as tf

DRAWS = 20
LEAPS = 10
STEP = 0.1
precision = tf.linalg.diag(tf.constant([1.0, 4.0, 9.0, 0.5]))


def potential(q):
    return 0.5 * tf.reduce_sum(q * tf.linalg.matvec(precision, q), axis=-1)


def slope(q):
    with tf.GradientTape() as tape:
        tape.watch(q)
        energy = potential(q)
    return tape.gradient(energy, q)


def leapfrog(q, p):
    p = p - 0.5 * STEP * slope(q)
    for _ in range(LEAPS):
        q = q + STEP * p
        p = p - STEP * slope(q)
    return q, p + 0.5 * STEP * slope(q)


@tf.function
def draw(q):
    p = tf.random.normal(tf.shape(q))
    before = potential(q) + 0.5 * tf.reduce_sum(p * p, axis=-1)
    proposed, momentum = leapfrog(q, p)
    after = potential(proposed) + 0.5 * tf.reduce_sum(momentum * momentum, axis=-1)
    accepted = tf.math.log(tf.random.uniform(tf.shape(after))) < before - after
    return tf.where(accepted[:, None], proposed, q)


chains = tf.zeros([16, 4])
draws = []
for _ in range(DRAWS):
    chains = draw(chains)
    draws.append(chains)
print(tf.math.reduce_std(tf.stack(draws), axis=[0, 1]).numpy())
