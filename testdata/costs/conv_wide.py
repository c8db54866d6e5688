"""Convolutions with so many channels that their kernels are nearly all there is to a step."""
import tensorflow as tf

STEPS = 8

pictures = tf.random.normal([16, 64, 64, 3], seed=1)
wanted = tf.random.normal([16, 64, 64, 1], seed=2)
model = tf.keras.Sequential([
    tf.keras.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(1, 3, padding="same"),
])
optimizer = tf.keras.optimizers.Adam(1e-3)


def train(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(STEPS):
    loss = train(pictures, wanted)
