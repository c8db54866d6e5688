# The loop stands in a helper that only a compiled step calls, by way of a second helper.
import functools

import tensorflow as tf

compiled = functools.partial(tf.function, jit_compile=True)
weights = tf.Variable(tf.reshape(tf.linspace(-0.5, 0.5, 6), [3, 2]))


def pushed(x, turns=5):
    moved = x
    for _ in range(turns):
        with tf.GradientTape() as tape:
            tape.watch(moved)
            loss = tf.reduce_mean(tf.square(tf.sin(moved @ weights)))
        moved = moved + 0.05 * tf.sign(tape.gradient(loss, moved))
        moved = tf.clip_by_value(moved, x - 0.1, x + 0.1)
    return moved


def worst_case(x):
    return tf.stop_gradient(pushed(x))


@compiled
def train_step(x):
    hard = worst_case(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(hard @ weights - 0.2))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


inputs = tf.random.stateless_normal([4, 3], seed=[3, 1])
losses = [train_step(inputs) for _ in range(8)]
last = float(losses[-1])
