# Each turn calls the step alike, and only every tenth looks at the variables: ten steps are one call.
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
ITERATIONS = 45
LOG_EVERY = 10

rng = np.random.RandomState(3)
times = tf.constant(np.linspace(0.0, 3.0, 24), tf.float32)
heights = tf.constant(2.0 * np.exp(-0.7 * np.linspace(0.0, 3.0, 24)), tf.float32)
scale = tf.Variable(1.0)
rate = tf.Variable(0.1)
optimizer = tf.keras.optimizers.Adam(0.05)


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        fitted = scale * tf.exp(-rate * times)
        penalty = 0.01 * tf.square(rate)
        loss = tf.reduce_mean(tf.square(fitted - heights)) + penalty
    gradients = tape.gradient(loss, [scale, rate])
    optimizer.apply_gradients(zip(gradients, [scale, rate]))
    return loss, penalty


rates = []
for it in range(ITERATIONS):
    loss, penalty = train_step()
    if it % LOG_EVERY == 0:
        rates.append(rate.numpy())
        print(f"{it:3d} loss {float(loss):.5f} rate {float(rate):.4f}")

# a step that nothing stands beside
for _ in range(12):
    train_step()

print("last penalty", round(float(penalty), 6))
