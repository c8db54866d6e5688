"""Learning to learn sines: one inner step below a tape, an outer step over a few tasks."""
import numpy as np
import tensorflow as tf

STEPS = 8
TASKS = 4
INNER = 0.01
rng = np.random.default_rng(4)


def initial():
    sizes = [1, 40, 40, 1]
    made = []
    for rows, columns in zip(sizes[:-1], sizes[1:]):
        made.append(tf.Variable(tf.random.normal([rows, columns], stddev=rows ** -0.5)))
        made.append(tf.Variable(tf.zeros([columns])))
    return made


def forward(x, weights):
    w1, b1, w2, b2, w3, b3 = weights
    hidden = tf.nn.relu(x @ w1 + b1)
    hidden = tf.nn.relu(hidden @ w2 + b2)
    return hidden @ w3 + b3


def mse(predicted, wanted):
    return tf.reduce_mean(tf.square(predicted - wanted))


def adapted(weights, x, y):
    with tf.GradientTape() as inner:
        inner.watch(weights)
        loss = mse(forward(x, weights), y)
    return [w - INNER * g for w, g in zip(weights, inner.gradient(loss, weights))]


def sines():
    amplitude = rng.uniform(0.1, 5.0, size=(TASKS, 1, 1))
    phase = rng.uniform(0, np.pi, size=(TASKS, 1, 1))
    x = rng.uniform(-5, 5, size=(TASKS, 20, 1))
    return x.astype("float32"), (amplitude * np.sin(x + phase)).astype("float32")


weights = initial()
meta = tf.keras.optimizers.Adam(1e-3)


@tf.function
def meta_step(x, y):
    with tf.GradientTape() as tape:
        loss = 0.0
        for task in range(TASKS):
            fast = adapted(weights, x[task, :10], y[task, :10])
            loss += mse(forward(x[task, 10:], fast), y[task, 10:])
        loss = loss / TASKS
    meta.apply_gradients(zip(tape.gradient(loss, weights), weights))
    return loss


for step in range(STEPS):
    x, y = sines()
    loss = meta_step(tf.constant(x), tf.constant(y))
print(float(loss))
