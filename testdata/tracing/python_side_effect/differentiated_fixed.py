# intent: correcting
# What a tape differentiates is computed in the trace, whoever computes it: it has no value there.
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([32, 3])
y = tf.reduce_sum(x, axis=1, keepdims=True)
w = tf.Variable(tf.zeros([3, 1]))
measure = eval("lambda target, found: tf.reduce_mean(tf.square(target - found))")


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = measure(y, x @ w)
    gradient = tape.gradient(loss, w)
    w.assign_sub(0.1 * gradient)
    tf.print("loss", loss)
    return loss


losses = [float(step(x, y)) for _ in range(12)]
