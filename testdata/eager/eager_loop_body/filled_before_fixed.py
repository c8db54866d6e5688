"""The list of weights is filled by a loop that is over when the training loop begins, and a name is
bound anew only when that one is over: a trace that reads both keeps what every turn finds."""

import tensorflow as tf

SIZES = [3, 8, 1]
rng = tf.random.Generator.from_seed(3)
weights = []
for rows, columns in zip(SIZES, SIZES[1:]):
    weights.append(tf.Variable(rng.normal([rows, columns])))
    weights.append(tf.Variable(tf.zeros([columns])))
optimizer = tf.keras.optimizers.SGD(1.0)
rate = tf.constant(0.05)
inputs = rng.normal([16, 3])
wanted = tf.reduce_sum(inputs, axis=1, keepdims=True)


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        hidden = tf.tanh(tf.matmul(inputs, weights[0]) + weights[1])
        error = tf.reduce_mean(tf.square(tf.matmul(hidden, weights[2]) + weights[3] - wanted))
        scaled = rate * error
    slopes = tape.gradient(scaled, weights)
    optimizer.apply_gradients(zip(slopes, weights))


for step in range(60):
    train_step()

rate = rate / 2.0
final = [weight.numpy() for weight in weights]
half = float(rate)
