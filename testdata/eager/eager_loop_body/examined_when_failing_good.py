# What an `except` clause does before it leaves the loop is done at most once.
import tensorflow as tf

scale = tf.Variable([[2.0], [3.0]])
rows = tf.random.stateless_normal([6, 2], [2, 6])
causes = []


@tf.function
def advance(rows):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.exp(tf.matmul(rows, scale)))
    scale.assign_add(tf.debugging.check_numerics(9.0 * tape.gradient(error, scale), "too large"))


for turn in range(30):
    try:
        advance(rows)
    except tf.errors.InvalidArgumentError:
        with tf.GradientTape() as tape:
            error = tf.reduce_mean(tf.exp(tf.matmul(rows, scale)))
        slope = tape.gradient(error, scale)
        causes.append((turn, bool(tf.reduce_all(tf.math.is_finite(slope)))))
        break
