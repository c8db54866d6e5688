# Members read once an epoch are read where they are used, and all of them behind both loops.
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

losses, rounded = [], []
for epoch in range(4):
    for x, y in dataset:
        loss = train_step(x, y)
        losses.append(float(loss))
        rounded.append(round(loss.numpy().item(), 3))
    print(f"epoch {epoch}: {losses[-1]:.4f}")

print("mean", np.mean(losses), "best", min(rounded))
