"""A small network that learns from a larger one: soft targets at a temperature."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

EPOCHS = 2
TEMPERATURE = 3.0

teacher = keras.Sequential([keras.Input((40,)), keras.layers.Dense(256, "relu"),
                            keras.layers.Dense(256, "relu"), keras.layers.Dense(10)])
student = keras.Sequential([keras.Input((40,)), keras.layers.Dense(24, "relu"),
                            keras.layers.Dropout(0.1), keras.layers.Dense(10)])
hard_loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
soft_loss = keras.losses.KLDivergence()
optimizer = keras.optimizers.RMSprop(1e-3)
accuracy = keras.metrics.SparseCategoricalAccuracy()

rng = np.random.default_rng(1)
x = rng.normal(size=(512, 40)).astype("float32")
y = rng.integers(10, size=512)
batches = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(512).batch(64, drop_remainder=True)

for epoch in range(EPOCHS):
    accuracy.reset_state()
    for images, labels in batches:
        targets = tf.nn.softmax(teacher(images, training=False) / TEMPERATURE)
        with tf.GradientTape() as tape:
            logits = student(images, training=True)
            soft = soft_loss(targets, tf.nn.softmax(logits / TEMPERATURE)) * TEMPERATURE ** 2
            loss = 0.3 * hard_loss(labels, logits) + 0.7 * soft
        grads = tape.gradient(loss, student.trainable_variables)
        optimizer.apply_gradients(zip(grads, student.trainable_variables))
        accuracy.update_state(labels, logits)
    print(f"epoch {epoch}: {accuracy.result().numpy():.3f}")
