"""A Wasserstein GAN with a gradient penalty, on points of the plane."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ITERATIONS = 15
NOISE_DIM = 8
BATCH = 64
N_CRITIC = 3
LAMBDA = 10.0


def make_generator():
    return keras.Sequential([
        layers.Input((NOISE_DIM,)),
        layers.Dense(32), layers.LeakyReLU(),
        layers.Dense(32), layers.LeakyReLU(),
        layers.Dense(2),
    ])


def make_critic():
    return keras.Sequential([
        layers.Input((2,)),
        layers.Dense(32), layers.LeakyReLU(),
        layers.Dense(32), layers.LeakyReLU(),
        layers.Dense(1),
    ])


generator = make_generator()
critic = make_critic()
g_opt = keras.optimizers.Adam(1e-4, beta_1=0.5)
c_opt = keras.optimizers.Adam(1e-4, beta_1=0.5)


def gradient_penalty(real, fake):
    alpha = tf.random.uniform([BATCH, 1])
    mixed = alpha * real + (1 - alpha) * fake
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        score = critic(mixed, training=True)
    grads = tape.gradient(score, mixed)
    norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)


def train_critic(real):
    noise = tf.random.normal([BATCH, NOISE_DIM])
    with tf.GradientTape() as tape:
        fake = generator(noise, training=True)
        loss = tf.reduce_mean(critic(fake, training=True)) - tf.reduce_mean(critic(real, training=True))
        loss += LAMBDA * gradient_penalty(real, fake)
    grads = tape.gradient(loss, critic.trainable_variables)
    c_opt.apply_gradients(zip(grads, critic.trainable_variables))
    return loss


def train_generator():
    noise = tf.random.normal([BATCH, NOISE_DIM])
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(noise, training=True), training=True))
    grads = tape.gradient(loss, generator.trainable_variables)
    g_opt.apply_gradients(zip(grads, generator.trainable_variables))
    return loss


def sample_real():
    angle = tf.random.uniform([BATCH], maxval=6.2831853)
    return tf.stack([tf.cos(angle), tf.sin(angle)], axis=1)


for iteration in range(ITERATIONS):
    for _ in range(N_CRITIC):
        c_loss = train_critic(sample_real())
    g_loss = train_generator()
