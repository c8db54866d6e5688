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


def fit_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rates() - observed))
    gradients = tape.gradient(loss, parameters)
    optimizer.apply_gradients(zip(gradients, parameters))
    return loss


@tf.function
def fit_steps(count, best, waited):
    losses = tf.TensorArray(tf.float32, count)
    done = 0
    for turn in tf.range(count):
        loss = fit_step()
        losses = losses.write(turn, loss)
        done += 1
        is_better = tf.cast(loss, tf.float64) < best - BETTER
        best = tf.where(is_better, tf.cast(loss, tf.float64), best)
        waited = tf.where(is_better, 0, waited + 1)
        if waited >= PATIENCE:
            break
    return losses.gather(tf.range(done)), best, waited


optimizer.build(parameters)
losses = []
best, waited = np.inf, 0
for step in range(0, STEPS, 25):
    loss, best, waited = fit_steps(
        tf.constant(min(25, STEPS - step)), tf.constant(best, tf.float64), tf.constant(waited)
    )
    losses += loss.numpy().tolist()
    best, waited = float(best), int(waited)
    step, loss = len(losses) - 1, losses[-1]
    if (step + 1) % 25 == 0:
        print(f"{step + 1:4d}  {loss:.4f}")
    if waited >= PATIENCE:
        print(f"no better for {PATIENCE} steps: done after {step + 1}")
        break

print("level, tilt, bend:", [round(float(value), 2) for value in (level, tilt, bend)])
