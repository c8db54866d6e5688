"""A small convolutional network on pictures of 28 by 28, with its loss and accuracy measured."""
import numpy as np
import tensorflow as tf

EPOCHS = 3

rng = np.random.default_rng(2)
pictures = rng.normal(size=(192, 28, 28, 1)).astype(np.float32)
digits = rng.integers(10, size=192)
data = tf.data.Dataset.from_tensor_slices((pictures, digits)).batch(32)

model = tf.keras.Sequential([
    tf.keras.Input((28, 28, 1)),
    tf.keras.layers.Conv2D(8, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.SGD(0.05)
cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
mean_loss = tf.keras.metrics.Mean()
accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


def train(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss = cross_entropy(y, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    mean_loss.update_state(loss)
    accuracy.update_state(y, logits)


for epoch in range(EPOCHS):
    for x, y in data:
        train(x, y)
