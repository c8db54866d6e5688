# The list begins anew in each epoch: it is read behind the inner loop.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
features = tf.random.normal([64, 6])
target = tf.reduce_sum(features[:, :2], axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, target)).batch(8)
model = tf.keras.Sequential([tf.keras.Input([6]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss

def fit(epochs):
    means = []
    for epoch in range(epochs):
        losses = []
        for x, y in dataset:
            losses.append(train_step(x, y))
        losses = [loss.numpy() for loss in losses]
        # The mean over all batches.
        means.append(np.mean(losses))
        print("epoch", epoch, means[-1])
    return means, losses


means, last_losses = fit(4)
