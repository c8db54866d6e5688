# A GAN that learns points on a ring. No images so it trains in seconds.
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BUFFER_SIZE = 256
BATCH_SIZE = 32
EPOCHS = 4
NOISE_DIM = 8

rng = np.random.RandomState(5)
theta = rng.uniform(0, 2 * np.pi, BUFFER_SIZE)
radius = 1 + 0.05 * rng.randn(BUFFER_SIZE)
real_points = np.column_stack([radius * np.cos(theta), radius * np.sin(theta)])
real_points = real_points.astype('float32')

# Batch and shuffle the data
train_dataset = (
    tf.data.Dataset.from_tensor_slices(real_points)
    .shuffle(BUFFER_SIZE, seed=1)
    .batch(BATCH_SIZE, drop_remainder=True)
)


def make_generator_model():
    model = tf.keras.Sequential()
    model.add(layers.Input(shape=(NOISE_DIM,)))
    model.add(layers.Dense(32, use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Dense(32, activation='tanh'))
    model.add(layers.Dense(2))
    return model


def make_discriminator_model():
    model = tf.keras.Sequential()
    model.add(layers.Dense(32))
    model.add(layers.LeakyReLU())
    model.add(layers.Dropout(0.3, seed=2))
    model.add(layers.Dense(1))
    return model


generator = make_generator_model()
discriminator = make_discriminator_model()

# This method returns a helper function to compute cross entropy loss
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def discriminator_loss(real_output, fake_output):
    real_loss = cross_entropy(tf.ones_like(real_output), real_output)
    fake_loss = cross_entropy(tf.zeros_like(fake_output), fake_output)
    return real_loss + fake_loss


def generator_loss(fake_output):
    return cross_entropy(tf.ones_like(fake_output), fake_output)


generator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3, beta_1=0.5)


def train_step(real):
    noise = tf.random.normal([BATCH_SIZE, NOISE_DIM])

    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = generator(noise, training=True)

        real_output = discriminator(real, training=True)
        fake_output = discriminator(fake, training=True)

        gen_loss = generator_loss(fake_output)
        disc_loss = discriminator_loss(real_output, fake_output)

    gen_grads = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_grads = disc_tape.gradient(disc_loss, discriminator.trainable_variables)

    generator_optimizer.apply_gradients(zip(gen_grads, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_grads, discriminator.trainable_variables))
    return gen_loss, disc_loss


seed = tf.random.normal([16, NOISE_DIM])
history = {'gen': [], 'disc': []}

for epoch in range(EPOCHS):
    for point_batch in train_dataset:
        g_loss, d_loss = train_step(point_batch)

    history['gen'].append(float(g_loss))
    history['disc'].append(float(d_loss))
    print(f'epoch {epoch + 1}: generator {g_loss:.4f}, discriminator {d_loss:.4f}')

samples = generator(seed, training=False).numpy()
print('mean radius of the samples: %.3f' % np.sqrt((samples ** 2).sum(axis=1)).mean())
