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


@tf.function
def train_steps(count):
    loss_spec, penalty_spec = train_step.get_concrete_function().structured_outputs
    last_loss = tf.TensorArray(loss_spec.dtype, 1, element_shape=loss_spec.shape)
    last_penalty = tf.TensorArray(penalty_spec.dtype, 1, element_shape=penalty_spec.shape)
    for _ in tf.range(count):
        loss, penalty = train_step()
        last_loss = last_loss.write(0, loss)
        last_penalty = last_penalty.write(0, penalty)
    return last_loss.read(0), last_penalty.read(0)


left = 0
for it in range(ITERATIONS):
    if not left:
        left = min((0 - it) % LOG_EVERY + 1, ITERATIONS - it)
        loss, penalty = train_steps(tf.constant(left))
    left -= 1
    if it % LOG_EVERY == 0:
        rates.append(rate.numpy())
        print(f"{it:3d} loss {float(loss):.5f} rate {float(rate):.4f}")


@tf.function
def train_steps_2(count):
    for _ in tf.range(count):
        train_step()


# a step that nothing stands beside
train_steps_2(tf.constant(12))

print("last penalty", round(float(penalty), 6))
