"""Two nets against each other: one learns by Keras' own call on each batch, one by a tape."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

ROUNDS = 40
SIZE = 32

critic = tf.keras.Sequential([
    layers.Input((12,)), layers.Dense(32, activation="relu"), layers.Dense(1),
])
critic.compile(
    optimizer=tf.keras.optimizers.Adam(2e-4),
    loss=tf.keras.losses.BinaryCrossentropy(from_logits=True),
)
judge = tf.keras.Sequential([
    layers.Input((12,)), layers.Dense(32, activation="relu"), layers.Dense(1),
])
maker = tf.keras.Sequential([
    layers.Input((5,)), layers.Dense(32, activation="relu"), layers.Dense(12),
])
adam = tf.keras.optimizers.Adam(2e-4)
judged = tf.keras.losses.BinaryCrossentropy(from_logits=True)
real = np.random.default_rng(2).normal(2.0, 0.5, (256, 12)).astype(np.float32)


@tf.function
def improve(noise):
    with tf.GradientTape() as tape:
        made = maker(noise, training=True)
        doubt = judged(tf.ones([SIZE, 1]), judge(made))
    gradients = tape.gradient(doubt, maker.trainable_variables)
    adam.apply_gradients(zip(gradients, maker.trainable_variables))
    return made


draw = np.random.default_rng(3)
for turn in range(ROUNDS):
    noise = tf.random.normal([SIZE, 5])
    made = improve(noise)
    rows = real[draw.integers(0, len(real), SIZE)]
    both = np.concatenate([rows, made.numpy()])
    truth = np.concatenate([np.ones((SIZE, 1)), np.zeros((SIZE, 1))]).astype(np.float32)
    loss = critic.train_on_batch(both, truth)
    if turn % 50 == 0:
        print(turn, loss)
