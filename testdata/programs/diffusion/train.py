"""A denoising diffusion model of points on two moons, with its own sampler."""
import math

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

T = 40
BATCH_SIZE = 64
TRAIN_STEPS = 60
N_SAMPLES = 32

betas = np.linspace(1e-4, 0.15, T, dtype=np.float32)
alphas = 1.0 - betas
alpha_bars = np.cumprod(alphas)


def two_moons(n, rng):
    angle = math.pi * rng.rand(n)
    upper = rng.rand(n) < 0.5
    x = np.where(upper, np.cos(angle), 1 - np.cos(angle))
    y = np.where(upper, np.sin(angle), 0.5 - np.sin(angle))
    points = np.stack([x - 0.5, y - 0.25], axis=1) + 0.05 * rng.randn(n, 2)
    return points.astype(np.float32)


class NoisePredictor(tf.keras.Model):
    """Predicts the noise in x from x and the time step."""

    def __init__(self, width=64):
        super().__init__()
        self.embedding = layers.Embedding(T, 16)
        self.hidden1 = layers.Dense(width, activation="swish")
        self.hidden2 = layers.Dense(width, activation="swish")
        self.out = layers.Dense(2)

    def call(self, x, t):
        h = tf.concat([x, self.embedding(t)], axis=-1)
        h = self.hidden1(h)
        h = h + self.hidden2(h)
        return self.out(h)


def add_noise(x0, t, noise):
    a = tf.gather(alpha_bars, t)[:, None]
    return tf.sqrt(a) * x0 + tf.sqrt(1.0 - a) * noise


model = NoisePredictor()
ema_model = NoisePredictor()
optimizer = tf.keras.optimizers.Adam(1e-3)
data = two_moons(1000, np.random.RandomState(0))
dataset = (
    tf.data.Dataset.from_tensor_slices(data)
    .shuffle(1000, seed=3)
    .repeat()
    .batch(BATCH_SIZE)
    .take(TRAIN_STEPS)
)

# build both and start the average at the same weights
dummy_t = tf.zeros([1], tf.int32)
model(data[:1], dummy_t)
ema_model(data[:1], dummy_t)
ema_model.set_weights(model.get_weights())

losses = []
for step, x0 in enumerate(dataset):
    t = tf.random.uniform([BATCH_SIZE], 0, T, dtype=tf.int32)
    noise = tf.random.normal([BATCH_SIZE, 2])
    with tf.GradientTape() as tape:
        predicted = model(add_noise(x0, t, noise), t)
        loss = tf.reduce_mean((noise - predicted) ** 2)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

    for ema_weight, weight in zip(ema_model.variables, model.variables):
        ema_weight.assign(0.95 * ema_weight + 0.05 * weight)

    losses.append(loss.numpy())
    if step % 20 == 0:
        print(f"step {step}: loss {np.mean(losses[-20:]):.4f}")


def sample(n):
    x = tf.random.normal([n, 2])
    for t in reversed(range(T)):
        t_batch = tf.fill([n], t)
        eps = ema_model(x, t_batch)
        mean = (x - betas[t] / math.sqrt(1.0 - alpha_bars[t]) * eps) / math.sqrt(alphas[t])
        if t > 0:
            x = mean + math.sqrt(betas[t]) * tf.random.normal([n, 2])
        else:
            x = mean
    return x


samples = sample(N_SAMPLES).numpy()
print("mean of the samples:", np.round(samples.mean(axis=0), 2))
