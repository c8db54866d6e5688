"""The model of a run is set again from outside."""

import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = tf.random.normal([64, 4])
y = tf.reduce_sum(x, axis=1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


def build():
    return tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])


class Run:
    def __init__(self):
        self.model = None
        self.optimizer = None


def train_step(model, optimizer, features, labels):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(features, training=True) - labels) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


run = Run()
losses = []
for rate in [0.1, 0.2, 0.3]:
    run.model = build()
    run.optimizer = tf.keras.optimizers.Adam(rate)
    for epoch in range(5):
        for features, labels in data:
            loss = train_step(run.model, run.optimizer, features, labels)
    losses.append(float(loss))
