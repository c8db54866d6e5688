# The metric beside the traced step is updated on every fiftieth turn: that costs next to nothing.
import tensorflow as tf

weights = tf.Variable([[0.5], [0.25]])
smoothed = tf.keras.metrics.Mean()
x = tf.random.stateless_normal([16, 2], [0, 1])
y = tf.reduce_sum(x, axis=1, keepdims=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return loss


for step in range(200):
    loss = train_step(x, y)
    if step % 50 == 0:
        smoothed.update_state(loss)
        print("step", step, "loss", float(smoothed.result()))
final = weights.numpy()
