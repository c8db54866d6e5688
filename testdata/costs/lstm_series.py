"""An LSTM that reads twenty readings and says the next one."""
import numpy as np
import tensorflow as tf

EPOCHS = 3
WINDOW = 20

rng = np.random.default_rng(8)
windows = rng.normal(size=(80, WINDOW, 3)).astype(np.float32)
following = rng.normal(size=(80, 1)).astype(np.float32)
data = tf.data.Dataset.from_tensor_slices((windows, following)).batch(16)

model = tf.keras.Sequential([
    tf.keras.Input((WINDOW, 3)),
    tf.keras.layers.LSTM(16),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.RMSprop(1e-3)


def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y - model(x, training=True)))
    gradients = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(gradients, model.trainable_weights))
    return loss


for epoch in range(EPOCHS):
    total = 0.0
    for x, y in data:
        total += float(train(x, y))
