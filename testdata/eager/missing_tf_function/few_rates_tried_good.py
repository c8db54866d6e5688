# One call for each of three rates: a trace for each would cost more than the calls do.
import tensorflow as tf

x = tf.reshape(tf.linspace(-1.0, 1.0, 24), [8, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)


def after_one_step(rate):
    weights = tf.Variable(tf.zeros([3, 1]))
    optimizer = tf.keras.optimizers.SGD(rate)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    gradients = tape.gradient(loss, [weights])
    optimizer.apply_gradients(zip(gradients, [weights]))
    return float(tf.reduce_mean(tf.square(x @ weights - y)))


losses = {}
for rate in (0.5, 0.1, 0.02):
    losses[rate] = after_one_step(rate)
print("best rate:", min(losses, key=losses.get))
