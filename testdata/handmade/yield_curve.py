"""Fits a yield curve (Nelson and Siegel's) to rates of bonds, until nothing has got better for a while."""

import numpy as np
import tensorflow as tf

STEPS = 300
PATIENCE = 30
BETTER = 2e-3

rng = np.random.default_rng(17)
maturities = np.geomspace(0.25, 30.0, 48).astype(np.float32)


def shape(decay):
    scaled = maturities / decay
    slope = (1.0 - np.exp(-scaled)) / scaled
    return slope, slope - np.exp(-scaled)


slope, hump = shape(1.8)
observed = 4.2 - 2.1 * slope + 1.4 * hump + rng.normal(0.0, 0.05, maturities.shape)
observed = tf.constant(observed, tf.float32)
years = tf.constant(maturities)

level, tilt, bend = (tf.Variable(value) for value in (2.0, 0.5, 0.0))
log_decay = tf.Variable(0.0)
parameters = [level, tilt, bend, log_decay]
optimizer = tf.keras.optimizers.SGD(0.03, momentum=0.6)


def rates():
    scaled = years * tf.exp(-log_decay)
    falling = tf.exp(-scaled)
    loading = (1.0 - falling) / scaled
    return level + tilt * loading + bend * (loading - falling)


@tf.function
def fit_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rates() - observed))
    gradients = tape.gradient(loss, parameters)
    optimizer.apply_gradients(zip(gradients, parameters))
    return loss


losses = []
best, waited = np.inf, 0
for step in range(STEPS):
    loss = float(fit_step())
    losses.append(loss)
    if (step + 1) % 25 == 0:
        print(f"{step + 1:4d}  {loss:.4f}")
    if loss < best - BETTER:
        best, waited = loss, 0
    else:
        waited += 1
        if waited >= PATIENCE:
            print(f"no better for {PATIENCE} steps: done after {step + 1}")
            break

print("level, tilt, bend:", [round(float(value), 2) for value in (level, tilt, bend)])
