# What is read of the result at its end, `float` or `.numpy()`, moves to the calls.
import tensorflow as tf

weights = tf.Variable(tf.ones([4, 1]))
optimizer = tf.keras.optimizers.Adam(0.1)


@tf.function
def train_step(x, y):
    """Make one step, and return how far off the weights were."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x, weights) - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return loss  # for the comparison


@tf.function
def measure(x, y):
    error = tf.abs(tf.matmul(x, weights) - y)
    worst = tf.reduce_max(error)
    return tf.reduce_mean(error) + worst


def main():
    x = tf.reshape(tf.range(24, dtype=tf.float32) / 24, [6, 4])
    y = tf.reduce_sum(x, axis=1, keepdims=True) * 0.3
    best = float("inf")
    total = 0.0
    train_step(x, y)
    for step in range(30):
        loss = float(train_step(x, y))
        best = min(best, loss)
        total += measure(x, y).numpy()
    print(round(best, 4), round(float(total), 4))


main()
