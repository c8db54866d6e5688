# A read that the project's own logger only keeps, and shows once an epoch, is as little needed as one that a list keeps.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


class Logger:
    def __init__(self):
        self.kept = {}

    def store(self, **named):
        for name, value in named.items():
            self.kept.setdefault(name, []).append(value)


class Meter:
    def __init__(self):
        self.total, self.count = 0.0, 0

    def update(self, value, count=1):
        self.total += value * count
        self.count += count


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        predicted = model(x)
        loss = tf.reduce_mean(tf.square(predicted - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


logger, meter = Logger(), Meter()
rows = np.random.RandomState(0).normal(size=[64, 4]).astype("float32")
for epoch in range(3):
    for start in range(0, 3200, 64):
        loss = train_step(rows, rows[:, :1])
        logger.store(loss=loss.numpy())
        meter.update(loss.numpy(), len(rows))
    print(epoch, np.mean(logger.kept["loss"]), meter.total / meter.count)
