"""Pictures are turned, shifted and dimmed before a traced step sees them."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

EPOCHS = 2


def varied(pictures):
    pictures = tf.image.random_flip_left_right(pictures)
    shifts = tf.random.uniform([2], -2, 3, dtype=tf.int32)
    pictures = tf.roll(pictures, shifts, axis=[1, 2])
    light = tf.random.uniform([pictures.shape[0], 1, 1, 1], 0.8, 1.2)
    pictures = tf.clip_by_value(pictures * light, 0.0, 1.0)
    noise = tf.random.normal(tf.shape(pictures), stddev=0.02)
    pictures = pictures + noise
    mean, spread = tf.nn.moments(pictures, axes=[1, 2, 3], keepdims=True)
    return (pictures - mean) / tf.sqrt(spread + 1e-6)


model = tf.keras.Sequential([
    layers.Input((20, 20, 1)),
    layers.Conv2D(16, 3, activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(24, 3, activation="relu"),
    layers.Flatten(),
    layers.Dense(5),
])
loss_of = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


draw = np.random.default_rng(5)
pictures, labels = draw.random((128, 20, 20, 1), dtype=np.float32), draw.integers(0, 5, 128)
data = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(16)
for epoch in range(EPOCHS):
    total = 0.0
    for x, y in data:
        total += float(train_step(varied(x), y))
    print(epoch, total / 8)
