# A list that each so many turns read and empty again is read there, all at once.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        errors = tf.abs(model(x, training=True) - y)
        loss = tf.reduce_mean(tf.square(errors))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss, tf.reduce_max(errors)


def train(steps):
    means = []
    recent = []
    for step in range(steps):
        losses = train_step(features, target)
        recent.append([t.numpy() for t in losses])

        if step % 20 == 0 or step == steps - 1:
            print("step", step, "losses", np.mean(recent, 0))
            means.append(np.mean(recent, 0)[0])
            recent = []
    return means


def train_on(steps):
    means, recent = [], []
    sums = list()
    for step in range(steps):
        loss, _ = train_step(features, target)
        sums.append(float(loss))
        if (step + 1) % 10 == 0:
            print("step", step)
            if step > 15:
                means.append(sum(sums) / len(sums))
            sums = []
    return means, recent


first = train(90)
second = train_on(45)
