"""What a helper is given and lasts, a model or a loss, can be given to its traced function as well.

The helper is a step of a function whose decorator only looks at what it runs.
"""

import functools
import inspect

import tensorflow as tf

tf.keras.utils.set_random_seed(7)
features = tf.random.normal([48, 6])
labels = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(16)
net = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
mse = tf.keras.losses.MeanSquaredError()


def default_of(name, function):
    return inspect.signature(function).parameters[name].default


def announced(function):
    @functools.wraps(function)
    def run(*args, **kwargs):
        print(function.__name__, default_of("epochs", function))
        return function(*args, **kwargs)

    return run


@tf.function
def evaluate_batch(x, y, *, factor=1.0, model, loss):
    score = model(x, training=False)
    return factor * loss(y, score), score


def evaluate(model, data, loss):
    """The mean of a loss over some data."""
    total, scores = 0.0, []

    for x, y in data:
        value, score = evaluate_batch(x, y, model=model, loss=loss)
        total += value
        scores.append(score)
    return total, tf.concat(scores, axis=0)


@tf.function
def train_batch(x, y):
    with tf.GradientTape() as tape:
        value = mse(y, net(x, training=True))
    gradients = tape.gradient(value, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))


@announced
def train(epochs=6):
    for _ in range(epochs):
        for x, y in dataset:
            train_batch(x, y)
        last = evaluate(net, dataset, mse)
    return last


total, scores = train()


def shifted(model, x, count):
    """The count is a number of each turn: no fix."""

    @tf.function
    def shift(value):
        return model(value) + tf.cast(count, tf.float32)

    return shift(x)


x = features
for number in range(8):
    x = tf.tile(shifted(net, x, number), [1, 6])
