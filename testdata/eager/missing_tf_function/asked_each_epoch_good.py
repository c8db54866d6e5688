# What is measured after each epoch runs once an epoch; the loop of steps is another, and traced.
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
weights = tf.Variable(tf.zeros([4, 1]))
xs = tf.reshape(tf.sin(tf.range(128.0)), [32, 4])
ys = tf.reduce_sum(xs, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((xs, ys)).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ weights - y))
    weights.assign_sub(0.1 * tape.gradient(loss, weights))


def measures():
    residual = tf.abs(xs @ weights - ys)
    mean = tf.reduce_mean(residual)
    explained = 1.0 - tf.math.reduce_variance(residual) / tf.math.reduce_variance(ys)
    return {
        "mean": float(mean),
        "worst": float(tf.reduce_max(residual)),
        "explained": float(explained),
        "length": float(tf.norm(weights)),
    }


history = []
for epoch in range(10):
    for x, y in data:
        train_step(x, y)
    history.append(measures())
print(round(history[-1]["mean"], 4))
