"""Pictures of shapes: the step is a graph of broad convolutions, its metrics are kept beside it."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

EPOCHS = 2

rng = np.random.default_rng(0)
pictures = rng.random((64, 32, 32, 3), dtype=np.float32)
labels = rng.integers(0, 6, 64)
batches = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(16, drop_remainder=True)

net = tf.keras.Sequential([
    layers.Input((32, 32, 3)),
    layers.Conv2D(48, 3, padding="same", activation="relu"),
    layers.Conv2D(48, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(96, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(6),
])
entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
adam = tf.keras.optimizers.Adam(1e-3)
seen_loss = tf.keras.metrics.Mean()
seen_accuracy = tf.keras.metrics.SparseCategoricalAccuracy()


@tf.function
def learn(x, y):
    with tf.GradientTape() as tape:
        logits = net(x, training=True)
        loss = entropy(y, logits)
    gradients = tape.gradient(loss, net.trainable_variables)
    adam.apply_gradients(zip(gradients, net.trainable_variables))
    seen_loss.update_state(loss)
    seen_accuracy.update_state(y, logits)
    return loss


for epoch in range(EPOCHS):
    seen_loss.reset_state()
    seen_accuracy.reset_state()
    for number, (x, y) in enumerate(batches):
        loss = learn(x, y)
        if number % 2 == 0:
            print(f"\r{number} loss {float(loss):.3f}", end="")
    print(epoch, float(seen_loss.result()), float(seen_accuracy.result()))
