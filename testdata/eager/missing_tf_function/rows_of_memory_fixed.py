"""Arrays that a step makes of Python's rows are made where its traced part is called."""

import random

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
inputs = np.sin(np.arange(192, dtype=np.float32)).reshape(64, 3)
memory = [(row, row[:1]) for row in inputs]
random.seed(2)


@tf.function(reduce_retracing=True)
def train_step(batch, wanted):
    with tf.GradientTape() as tape:
        prediction = model(batch)
        loss = tf.reduce_mean(tf.square(prediction - wanted))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def replay():
    batch = random.sample(memory, 16)
    loss = train_step(
        tf.constant(np.array([row[0] for row in batch])),
        tf.constant(np.array([row[1] for row in batch])),
    )
    return loss.numpy()


losses = []
for step in range(40):
    losses.append(float(replay()))
